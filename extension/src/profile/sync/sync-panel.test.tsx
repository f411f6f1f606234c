// @vitest-environment happy-dom
import type { ProfileData } from '@deskside/shared/profile';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PanelErrorCode, SyncResult } from '#messaging/protocol.ts';
import { send } from '#messaging/send.ts';
import { createPanel, type PanelController } from '#profile/panel-controller.tsx';
import { createQueryClient } from '#profile/query/query-client.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { sampleApplied, sampleSync, sampleUndone } from '#testing/sample-sync.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));

interface Asked {
  verb: string;
  input: unknown;
  answer: (result: unknown) => void;
}
let asked: Asked[];
let panel: PanelController;
let container: HTMLElement;
let covered: boolean;

const of = (verb: string) => asked.filter((one) => one.verb === verb);
/** Answers the nth request of a kind once it has been made. */
async function answer(verb: string, nth: number, result: unknown) {
  await until(() => expect(of(verb).length).toBeGreaterThan(nth));
  of(verb)[nth]?.answer(result);
}
const text = () => container.textContent ?? '';
const shows = (words: string) => until(() => expect(text()).toContain(words));
const says = (words: string) => until(() => expect(container.querySelector('output')?.textContent).toBe(words));
const button = (label: string, within: Element | null = container) =>
  [...(within?.querySelectorAll('button') ?? [])].find((b) => b.textContent === label);
const ok = (sync: ReturnType<typeof sampleSync>): SyncResult => ({ ok: true, sync });
const no = (code: PanelErrorCode, more = {}): SyncResult => ({
  ok: false,
  error: { code, requestId: 'req-1', ...more },
});

/** The heading of what Sync customer has to say. */
const heading = () => container.querySelector('section h3')?.textContent;

/** A click as a person makes it, as soon as the button takes one. `detail`: 0 for the keyboard. */
async function press(label: string, within: Element | null = container, detail = 1) {
  await until(() => expect(button(label, within)?.getAttribute('aria-disabled')).toBeNull());
  click(label, true, within, detail);
}
function click(label: string, isTrusted: boolean, within: Element | null = container, detail = 1) {
  const event = new MouseEvent('click', { bubbles: true, detail });
  Object.defineProperty(event, 'isTrusted', { value: isTrusted });
  button(label, within)?.focus();
  button(label, within)?.dispatchEvent(event);
}
const claimed: Parameters<typeof sampleProfile>[0] = { bitrix: { lookup_trust: { level: 'claimed', evidence: [] } } };

async function open(profile: ProfileData = sampleProfile(claimed), sync = false) {
  panel.open({ ticket: '61307', refresh: false, sync, returnFocusTo: () => null });
  await answer('profile.get', 0, { ok: true, profile, receivedAt: 0 });
  await shows('Tiệm Hoa Mẫu');
}
async function openPreview(result: SyncResult = ok(sampleSync())) {
  await open();
  await press('Sync customer');
  await answer('sync.preview', 0, result);
}
async function openApplied() {
  await openPreview();
  await press('Sync now');
  await until(() => expect(of('sync.apply')).toHaveLength(1));
  // What the preview showed is what the agent agreed to.
  expect(of('sync.apply')[0]?.input).toMatchObject({ expectedCustomer: sampleSync().ticket.customer });
  await answer('sync.apply', 0, ok(sampleApplied()));
  await shows('Customer synced');
}

beforeEach(() => {
  asked = [];
  covered = false;
  vi.mocked(send).mockImplementation((verb, input) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    asked.push({ verb, input, answer: resolve });
    if (verb.endsWith('.cancel')) resolve(null);
    return promise as never;
  });
  document.body.innerHTML = '<div id="panel"></div>';
  container = document.querySelector('#panel') as HTMLElement;
  document.elementFromPoint = () => (covered ? document.body : document.activeElement);
  Element.prototype.scrollIntoView = () => {};
  panel = createPanel(container, createQueryClient(), 'en');
});
afterEach(() => {
  panel.destroy();
  vi.clearAllMocks();
});

test('pressing Sync customer shows what would change, and changes nothing', async () => {
  await openPreview();
  await shows('This will change');
  expect(of('sync.preview')[0]?.input).toMatchObject({ ticket: '61307', companyId: '1000069001', bitrixId: '63001' });
  expect(text()).toContain('By syncing, you confirm that this is the sender’s company.');
  expect([...container.querySelectorAll('del')].map((e) => e.textContent)).toEqual([
    'was Khách lẻ',
    'was Claimed by the sender',
    'was STANDARD',
  ]);
  await until(() => expect(document.activeElement?.textContent).toBe('This will change'));
  expect(of('sync.apply')).toEqual([]);
  await says('Please review 4 changes.');
});

test('no warning is shown if the sender is known to belong to the company', async () => {
  await open(sampleProfile());
  await press('Sync customer');
  await answer('sync.preview', 0, ok(sampleSync()));
  await shows('This will change');
  expect(text()).not.toContain('By syncing, you confirm');
});

test('Cancel closes the preview and returns the focus to the button', async () => {
  await openPreview();
  await shows('This will change');
  await press('Cancel');
  expect(heading()).toBeUndefined();
  await until(() => expect(document.activeElement).toBe(button('Sync customer')));
});

test('if only the match would change, that is shown and announced', async () => {
  const linked = { name: '61307', customer: 'A', previous_customer: 'A', linked: true };
  await openPreview(ok(sampleSync({ ticket: linked, customer: { name: 'A', created: false }, changes: [] })));
  await shows('This will change');
  await says('Please review 1 change.');
  expect(button('Sync now')).toBeDefined();
});

test('if nothing would change there is no button to apply it', async () => {
  const linked = { name: '61307', customer: 'A', previous_customer: 'A', linked: true };
  await open(sampleProfile());
  await press('Sync customer');
  await answer(
    'sync.preview',
    0,
    ok(sampleSync({ ticket: linked, customer: { name: 'A', created: false }, changes: [] })),
  );
  await shows('Nothing to change');
  expect(button('Sync now')).toBeUndefined();
  await press('Got it');
  expect(heading()).toBeUndefined();
});

test('only one action runs at a time; further presses are ignored', async () => {
  await open();
  await press('Sync customer');
  await until(() => expect(button('Sync customer')?.getAttribute('aria-busy')).toBe('true'));
  click('Sync customer', true);
  click('Refresh CRM Profile', true);
  await answer('sync.preview', 0, ok(sampleSync()));
  await shows('This will change');
  await press('Sync now');
  await until(() => expect(button('Sync now')?.getAttribute('aria-busy')).toBe('true'));
  for (const label of ['Sync now', 'Cancel', 'Sync customer', 'Refresh CRM Profile']) click(label, true);
  expect(text()).not.toContain('Customer synced');
  expect([of('sync.preview').length, of('sync.apply').length, of('profile.get').length]).toEqual([1, 1, 1]);
});

test('after the sync: the result, an Undo, and the profile reloaded without a forced check', async () => {
  await openApplied();
  await until(() => expect(document.activeElement?.textContent).toBe('Customer synced'));
  expect(of('profile.get')[1]?.input).toMatchObject({ refresh: false, maxAgeMs: 0 });
  const evidence = [{ code: 'linked_by_agent' as const, value: 'An' }];
  await answer('profile.get', 1, {
    ok: true,
    profile: sampleProfile({ bitrix: { lookup_trust: { level: 'confirmed', evidence } } }),
    receivedAt: 0,
  });
  await shows('An linked the ticket to this company with Sync customer.');
  await says('Customer synced. The ticket is linked to Tiệm Hoa Mẫu - 1000069001.');
  expect(button('Undo')).toBeDefined();
});

test("Undo shows the ticket's customer again, even if the profile has lost its company", async () => {
  await openApplied();
  await press('Undo');
  expect(of('sync.undo')[0]?.input).toEqual({ ticket: '61307', syncId: 's1' });
  await answer('sync.undo', 0, ok(sampleUndone()));
  await shows('Sync undone');
  const bitrix = { company: null, contact: null, responsible: null, lookup_trust: null, lookup_candidates: [] };
  await answer('profile.get', 2, {
    ok: true,
    profile: sampleProfile({ bitrix: { ...bitrix, status: 'missing_orgid', outcome: null } }),
    receivedAt: 0,
  });
  await shows('No company ID on this ticket');
  expect(text()).toContain('Sync undone');
  await until(() => expect(document.activeElement?.textContent).toBe('Sync undone'));
  await says('Sync undone. The ticket’s customer is Khách lẻ.');
});

test('a ticket changed meanwhile is left alone, and Undo is no longer offered', async () => {
  await openApplied();
  await press('Undo');
  await answer('sync.undo', 0, no('changed_since'));
  await shows('Someone else has changed the customer');
  await press('Got it');
  expect(button('Undo')).toBeUndefined();
});

test('an Undo that merely failed can be repeated by the agent', async () => {
  await openApplied();
  await press('Undo');
  await answer('sync.undo', 0, no('helpdesk_timeout'));
  await shows('The change may have been made anyway');
  await press('Got it');
  await press('Undo');
  expect(of('sync.undo')).toHaveLength(2);
});

test('another preview after a sync, cancelled, leaves the Undo', async () => {
  await openApplied();
  await press('Sync customer');
  await answer('sync.preview', 1, ok(sampleSync()));
  await shows('This will change');
  await press('Cancel');
  expect(button('Undo')).toBeDefined();
});

test('a conflict shows both companies side by side, and the profile can be refreshed', async () => {
  await openPreview(
    no('identity_conflict', { conflict: { code: 'other_company_matched', asked: '63001', found: '63103' } }),
  );
  await shows('Two different companies for this ticket');
  const sides = [...container.querySelectorAll('dl')].find((dl) => dl.textContent?.includes('63103'));
  expect(sides?.textContent).toContain('Tiệm Hoa MẫuCRM ID 63001');
  expect(text()).toContain('req-1');
  const refresh = [...container.querySelectorAll('section button')].find(
    (b) => b.textContent === 'Refresh CRM Profile',
  );
  (refresh as HTMLButtonElement).click();
  await until(() => expect(of('profile.get').at(-1)?.input).toMatchObject({ refresh: true }));
  expect(heading()).toBeUndefined();
});

test('a CRM failure is shown, and the preview can be requested again', async () => {
  await openPreview(ok(sampleSync({ status: 'error', customer: null, company: null, changes: [] })));
  await shows('The CRM check failed');
  await press('Try again');
  await until(() => expect(of('sync.preview')).toHaveLength(2));
});

test('a write without an answer is never repeated, and the profile is reloaded to see its effect', async () => {
  await openPreview();
  await press('Sync now');
  await answer('sync.apply', 0, no('timeout'));
  await shows('The change may have been made anyway');
  expect(of('sync.apply')).toHaveLength(1);
  expect(of('profile.get')).toHaveLength(2);
});

test('the result of a write stays on screen, even if the company can no longer be checked', async () => {
  await openPreview();
  await press('Sync now');
  await answer('sync.apply', 0, no('timeout'));
  await shows('The change may have been made anyway');
  await answer('profile.get', 1, {
    ok: true,
    profile: sampleProfile({ bitrix: { status: 'error', stale: true, error: { code: 'timeout', request_id: 'r' } } }),
    receivedAt: 0,
  });
  await shows('Old data cannot be synced');
  expect(text()).toContain('The change may have been made anyway');
  expect(button('Try again')?.getAttribute('aria-disabled')).toBe('true');
});

test('an answer about another ticket is an error, never a result', async () => {
  await openPreview(ok(sampleSync({ ticket: { ...sampleSync().ticket, name: '2' } })));
  await shows('are not compatible');
});

/** What is asked after a click on a covered button. */
const question = () => container.querySelector('[role="alertdialog"]');

test('a script of the page cannot sync, and a click on a covered button asks first', async () => {
  await openPreview();
  await shows('This will change');
  expect(button('Sync now')?.getAttribute('aria-disabled')).toBe('true');
  click('Sync now', true);
  await until(() => expect(button('Sync now')?.getAttribute('aria-disabled')).toBeNull());
  click('Sync now', false);
  expect(question()).toBeNull();
  covered = true;
  click('Sync now', true);
  await until(() => expect(question()?.textContent).toContain('Something covers “Sync now”'));
  click('Cancel', true, question());
  await until(() => expect(question()).toBeNull());
  expect(of('sync.apply')).toEqual([]);
  covered = false;
  await press('Sync now');
  expect(of('sync.apply')).toHaveLength(1);
});

test('the question takes no covered click either and says so; uncovered it does', async () => {
  await openPreview();
  covered = true;
  await press('Sync now');
  await until(() => expect(question()).not.toBeNull());
  await press('Sync now', question());
  await until(() => expect(question()?.textContent).toContain('Press Enter to go on.'));
  expect(document.activeElement).toBe(button('Sync now', question()));
  expect(of('sync.apply')).toEqual([]);
  covered = false;
  await press('Sync now', question());
  await until(() => expect(question()).toBeNull());
  expect(of('sync.apply')).toHaveLength(1);
});

test('the keyboard syncs at once, whatever covers the button', async () => {
  await openPreview();
  covered = true;
  await press('Sync now', container, 0);
  expect([question(), of('sync.apply').length]).toEqual([null, 1]);
});

test('old data is not synced, and the button says why', async () => {
  await open(sampleProfile({ bitrix: { status: 'error', stale: true, error: { code: 'timeout', request_id: 'r' } } }));
  const sync = button('Sync customer');
  expect([sync?.disabled, sync?.getAttribute('aria-disabled')]).toEqual([false, 'true']);
  const reason = container.querySelector(`[id="${sync?.getAttribute('aria-describedby')}"]`);
  expect(reason?.textContent).toBe('Old data cannot be synced: the company has to be checked first.');
  click('Sync customer', true);
  expect(of('sync.preview')).toEqual([]);
});

test('from the launcher’s menu the preview starts once, as soon as the company is loaded', async () => {
  panel.open({ ticket: '61307', refresh: false, sync: true, returnFocusTo: () => null });
  expect(of('sync.preview')).toEqual([]);
  await answer('profile.get', 0, { ok: true, profile: sampleProfile(claimed), receivedAt: 0 });
  await until(() => expect(of('sync.preview')).toHaveLength(1));
  await answer('sync.preview', 0, ok(sampleSync()));
  await shows('This will change');
  panel.open({ ticket: '61307', refresh: false, returnFocusTo: () => null });
  expect(of('sync.preview')).toHaveLength(1);
});

test('from the launcher’s menu, if there is nothing to sync, the panel says why', async () => {
  await open(sampleProfile({ bitrix: { status: 'error', stale: true } }), true);
  await says('Old data cannot be synced: the company has to be checked first.');
  expect(of('sync.preview')).toEqual([]);
});

test('leaving the ticket cancels the preview, and the next ticket starts without one', async () => {
  await open();
  await press('Sync customer');
  panel.setTicket('2');
  await until(() => expect(of('sync.cancel')).toHaveLength(1));
  await answer('sync.preview', 0, ok(sampleSync()));
  await answer('profile.get', 1, {
    ok: true,
    profile: sampleProfile({ ticket: { ...sampleProfile().ticket, name: '2' } }),
    receivedAt: 0,
  });
  await shows('Tiệm Hoa Mẫu');
  expect(heading()).toBeUndefined();
});

test('closing the panel drops the preview, not the Undo', async () => {
  await openPreview();
  await shows('This will change');
  panel.close();
  await until(() => expect(heading()).toBeUndefined());
  panel.open({ ticket: '61307', refresh: false, returnFocusTo: () => null });
  await press('Sync customer');
  await answer('sync.preview', 1, ok(sampleSync()));
  await press('Sync now');
  await answer('sync.apply', 0, ok(sampleApplied()));
  await shows('Customer synced');
  panel.close();
  expect(button('Undo')).toBeDefined();
});

test('another company on screen closes the preview of the previous one', async () => {
  await openPreview();
  await shows('This will change');
  await press('Refresh CRM Profile');
  expect(heading()).toBeUndefined();
});

test('text from the helpdesk and the CRM stays text', async () => {
  const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
  await openPreview(
    ok(
      sampleSync({
        ticket: { name: '61307', customer: hostile, previous_customer: hostile, linked: false },
        customer: { name: hostile, created: true },
        changes: [{ field: hostile, from: hostile, to: hostile + hostile }],
      }),
    ),
  );
  await shows(hostile);
  expect(container.querySelector('img, script, [onerror]')).toBeNull();
});

test('an agent who is typing in the ticket keeps the focus there', async () => {
  const reply = document.body.appendChild(document.createElement('textarea'));
  await open();
  await press('Sync customer');
  reply.focus();
  await answer('sync.preview', 0, ok(sampleSync()));
  await shows('This will change');
  expect(document.activeElement).toBe(reply);
});

describe('customers made by hand', () => {
  const adoptable = [
    { name: 'Khách lẻ', of_ticket: true, may_adopt: true },
    { name: 'TIỆM HOA MẪU', of_ticket: false, may_adopt: true },
  ];
  const adopting = (name: string) =>
    sampleSync({ adoptable, customer: { name, created: false, adopted: true }, changes: [] });
  const radio = (label: string) =>
    [...container.querySelectorAll('label')].find((one) => one.textContent?.startsWith(label))?.querySelector('input');
  const checked = () => container.querySelector('input:checked')?.closest('label')?.textContent;

  test('are offered beside a new one; what adopting one would change is shown, and then done', async () => {
    await openPreview(ok(sampleSync({ adoptable })));
    await shows('Which customer is this company?');
    expect(checked()).toBe('A new customer');
    expect(of('sync.preview')[0]?.input).toMatchObject({ adopt: null });
    radio('TIỆM HOA MẪU')?.click();
    await until(() => expect(checked()).toBe('TIỆM HOA MẪU · made by hand'));
    expect(button('Sync now')?.getAttribute('aria-disabled')).toBe('true');
    await answer('sync.preview', 1, ok(adopting('TIỆM HOA MẪU')));
    expect(of('sync.preview')[1]?.input).toMatchObject({ adopt: 'TIỆM HOA MẪU' });
    await shows('becomes this company');
    await press('Sync now');
    await until(() => expect(of('sync.apply')).toHaveLength(1));
    expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: 'TIỆM HOA MẪU', expectedCustomer: 'Khách lẻ' });
    const customer = { name: 'TIỆM HOA MẪU', created: false, adopted: true };
    await answer('sync.apply', 0, ok(sampleApplied({ customer })));
    await shows('is this company now');
    await press('Undo');
    await until(() => expect(of('sync.undo')).toHaveLength(1));
    await answer('sync.undo', 0, ok(sampleUndone({ customer })));
    await shows('TIỆM HOA MẪU is not this company any more');
  });

  test('another choice while a preview is on its way drops that one', async () => {
    await openPreview(ok(sampleSync({ adoptable })));
    await shows('Which customer is this company?');
    radio('TIỆM HOA MẪU')?.click();
    await until(() => expect(of('sync.preview')).toHaveLength(2));
    radio('Khách lẻ')?.click();
    await until(() => expect(of('sync.preview')).toHaveLength(3));
    await until(() => expect(of('sync.cancel')).toHaveLength(1));
    await answer('sync.preview', 2, ok(adopting('Khách lẻ')));
    await answer('sync.preview', 1, ok(adopting('TIỆM HOA MẪU')));
    await shows('becomes this company');
    await press('Sync now');
    await until(() => expect(of('sync.apply')).toHaveLength(1));
    expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: 'Khách lẻ' });
  });

  test('that the agent may not edit are named, cannot be chosen, and it is said why', async () => {
    await openPreview(ok(sampleSync({ adoptable: adoptable.map((one) => ({ ...one, may_adopt: false })) })));
    await shows('You may not edit the customers in grey.');
    expect([radio('A new')?.disabled, radio('Khách lẻ')?.disabled, radio('TIỆM')?.disabled]).toEqual([
      false,
      true,
      true,
    ]);
    await press('Sync now');
    await until(() => expect(of('sync.apply')).toHaveLength(1));
    expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: null });
  });

  test('are not asked about where there are none', async () => {
    await openPreview();
    await shows('This will change');
    expect(container.querySelector('fieldset')).toBeNull();
  });
});
