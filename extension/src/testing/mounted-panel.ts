import type { SyncData } from '@deskside/shared/enrichment';
import type { ProfileData } from '@deskside/shared/profile';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { PanelErrorCode, Result } from '#messaging/protocol.ts';
import { createPanel, type PanelController } from '#panel/panel-controller.tsx';
import { type Page, unknownPage } from '#panel/parts/page.ts';
import { createQueryClient } from '#panel/query/profile-query.ts';
import { keepRequests, of, type TestInput } from './mocked-send.ts';
import { sampleApplied, sampleFind, sampleSync, withoutAround } from './sample-answers.ts';
import { type ProfileChange, sampleProfile } from './sample-profile.ts';
import { until } from './until.ts';

/** The layout of a newcomer. */
const closed = { layout: { open: false }, shortcut: null };

/** A page of the helpdesk that has its column beside the ticket. */
export const columnPage: Page = {
  ...unknownPage,
  watchColumn(onBox) {
    onBox({ left: '928', top: '78', width: '352', height: '722' }, true);
    return () => {};
  },
};

let mounted: PanelController;
let root: HTMLElement;

export const panel = () => mounted;
export const container = () => root;

/** No tickets around, nothing seen before, nothing found by the sender: what most tests are not about. */
function answeredAtOnce(verb: string, { query }: TestInput): unknown {
  if (verb === 'around.get') return withoutAround;
  if (verb === 'profile.last') return null;
  return verb === 'find.search' && query === null ? { ok: true, data: sampleFind({ companies: [] }) } : undefined;
}

/**
 * For tests in the mounted panel: call it once per file, which must mock `#messaging/send.ts`.
 * @param answered what is answered at once; undefined waits for `answer`
 */
export function mountPanel(answered: Parameters<typeof keepRequests>[0] = answeredAtOnce): void {
  beforeEach(() => {
    keepRequests(answered);
    document.body.innerHTML = '<div id="panel"></div>';
    root = document.querySelector('#panel') as HTMLElement;
    document.elementFromPoint = () => document.activeElement;
    Element.prototype.scrollIntoView = () => {};
    mounted = createPanel(root, createQueryClient(), 'en', closed, columnPage);
  });
  afterEach(() => {
    mounted.destroy();
    vi.clearAllMocks();
  });
}

/** Mounts it anew, over another page or as it was left. */
export function remount(page: Page, arranged = closed): void {
  mounted.destroy();
  mounted = createPanel(root, createQueryClient(), 'en', arranged, page);
}

export { of };
/** The requests of a kind that were cancelled. */
export const cancelled = (verb: string) => of(verb).filter(({ signal }) => signal?.aborted);
/** Answers the nth request of a kind once it has been made. */
export async function answer(verb: string, nth: number, result: unknown) {
  await until(() => expect(of(verb).length).toBeGreaterThan(nth));
  of(verb)[nth]?.answer(result);
}
export const text = () => root.textContent ?? '';
export const shows = (words: string) => until(() => expect(text()).toContain(words));
export const says = (words: string) => until(() => expect(root.querySelector('output')?.textContent).toBe(words));
export const button = (label: string, within: Element | null = root) =>
  [...(within?.querySelectorAll('button') ?? [])].find(
    (b) => b.textContent === label || b.getAttribute('aria-label') === label,
  );
export const ok = (sync: ReturnType<typeof sampleSync>): Result<SyncData> => ({ ok: true, data: sync });
export const no = (code: PanelErrorCode, more = {}): Result<never> => ({
  ok: false,
  error: { code, ...more },
});

/** The heading of what Sync customer has to say. */
export const heading = () => root.querySelector('.sheet h3')?.textContent;

/** A click as a person makes it, as soon as the button takes one. `detail`: 0 for the keyboard. */
export async function press(label: string, within: Element | null = root, detail = 1) {
  await until(() => expect(button(label, within)?.getAttribute('aria-disabled')).toBeNull());
  click(label, true, within, detail);
}
export function click(label: string, isTrusted: boolean, within: Element | null = root, detail = 1) {
  const event = new MouseEvent('click', { bubbles: true, detail });
  Object.defineProperty(event, 'isTrusted', { value: isTrusted });
  button(label, within)?.focus();
  button(label, within)?.dispatchEvent(event);
}
export const claimed: ProfileChange = { bitrix: { lookup_trust: { level: 'claimed', evidence: [] } } };

export const radio = (label: string) =>
  [...root.querySelectorAll('label')].find((one) => one.textContent?.startsWith(label))?.querySelector('input');

export function openTicket(ticket = '61307', how: { refresh?: boolean; sync?: boolean } = {}) {
  mounted.open({ ticket, refresh: false, returnFocusTo: () => null, ...how });
}
export async function open(profile: ProfileData = sampleProfile(claimed), sync = false) {
  openTicket('61307', { sync });
  await answer('profile.get', 0, { ok: true, data: profile });
  await shows('Tiệm Hoa Mẫu');
}
export async function openPreview(result: Result<SyncData> = ok(sampleSync())) {
  await open();
  await press('It’s them…');
  await answer('sync.preview', 0, result);
}
export async function openApplied() {
  await openPreview();
  await press('It’s them');
  await until(() => expect(of('sync.apply')).toHaveLength(1));
  // What the preview showed is what the agent agreed to.
  expect(of('sync.apply')[0]?.input).toMatchObject({ expected_customer: sampleSync().ticket.customer, reroute: false });
  await answer('sync.apply', 0, ok(sampleApplied()));
  // It is told with the profile that shows it, which is asked for again.
  await until(() => expect(of('profile.get')).toHaveLength(2));
  expect(text()).not.toContain('Linked to');
  await answer('profile.get', 1, { ok: true, data: sampleProfile() });
  await shows('Linked to');
}
