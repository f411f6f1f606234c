// @vitest-environment happy-dom
import type { RoutingDecision } from '@deskside/shared/routing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PanelErrorCode, panelErrorCodes, type RoutingResult } from '../messaging/protocol.ts';
import { send } from '../messaging/send.ts';
import { createPanel, type PanelController } from './panel-controller.tsx';
import { createQueryClient } from './query-client.ts';
import { sampleDecision } from './sample-decision.ts';
import { sampleProfile } from './sample-profile.ts';

vi.mock('../messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));

interface Asked {
  input: { ticket: string; call: string };
  answer: (result: RoutingResult) => void;
}
let asked: Asked[];
let cancelled: string[];
let panel: PanelController;
let container: HTMLElement;

const text = () => container.textContent ?? '';
const shows = (words: string) => vi.waitFor(() => expect(text()).toContain(words));
const button = (label: string) =>
  [...container.querySelectorAll('button')].find(
    (b) => b.textContent === label || b.getAttribute('aria-label') === label,
  );
const disclosure = () => container.querySelector<HTMLButtonElement>('button[aria-expanded]');
const no = (code: PanelErrorCode): RoutingResult => ({ ok: false, error: { code, requestId: 'req-9' } });
const yes = (ticket: string, ...decisions: RoutingDecision[]): RoutingResult => ({
  ok: true,
  routing: { ticket, decisions: decisions.map((decision) => ({ ...decision, ticket })) },
});
const open = (ticket: string) => panel.open({ ticket, refresh: false, returnFocusTo: () => null });

/** Opens the panel, and the section in it. */
async function explain(ticket = '61307') {
  open(ticket);
  await vi.waitFor(() => expect(disclosure()).not.toBeNull(), { interval: 2 });
  disclosure()?.click();
  await vi.waitFor(() => expect(asked.at(-1)?.input.ticket).toBe(ticket), { interval: 2 });
}

async function collapse() {
  disclosure()?.click();
  await vi.waitFor(() => expect(text()).not.toContain('Auto-routed:'));
}

beforeEach(() => {
  asked = [];
  cancelled = [];
  vi.mocked(send).mockImplementation(async (verb, input) => {
    if (verb === 'profile.get') {
      const { ticket: name } = input as { ticket: string };
      return { ok: true, profile: sampleProfile({ ticket: { ...sampleProfile().ticket, name } }) } as never;
    }
    if (verb === 'routing.cancel') cancelled.push((input as { call: string }).call);
    if (verb !== 'routing.get') return (verb === 'session.signIn') as never;
    const { promise, resolve } = Promise.withResolvers<RoutingResult>();
    asked.push({ input: input as Asked['input'], answer: resolve });
    return promise as never;
  });
  document.body.innerHTML = '<div id="panel"></div>';
  container = document.querySelector('#panel') as HTMLElement;
  Element.prototype.scrollIntoView = () => {};
  panel = createPanel(container, createQueryClient(), 'en');
});
afterEach(() => {
  panel.destroy();
  vi.clearAllMocks();
});

test('it is closed at first, says so, and asks nothing before it is opened', async () => {
  open('61307');
  await shows('Why this team?');
  expect(disclosure()?.getAttribute('aria-expanded')).toBe('false');
  const region = container.querySelector(`[id="${disclosure()?.getAttribute('aria-controls')}"]`);
  expect(region?.hasAttribute('hidden')).toBe(true);
  expect(asked).toEqual([]);
  disclosure()?.click();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  expect(disclosure()?.getAttribute('aria-expanded')).toBe('true');
  expect(region?.hasAttribute('hidden')).toBe(false);
  expect(text()).toContain('Loading why this team');
});

test('opened: team, reason, agent, inputs and rules, said aloud, and asked once however often it is opened', async () => {
  await explain();
  asked[0]?.answer(yes('61307', sampleDecision()));
  await shows('Medium - Scale');
  for (const words of ['an@support.example', 'Auto-routed:', 'Segment Medium with a Scale plan', 'Confirmed'])
    expect(text()).toContain(words);
  await vi.waitFor(() => expect(container.querySelector('output')?.textContent).toBe('Loaded: why Medium - Scale.'));
  await collapse();
  disclosure()?.click();
  await shows('Auto-routed:');
  expect(asked).toHaveLength(1);
});

test('a refresh of the profile asks again, but only where somebody looks', async () => {
  await explain();
  asked[0]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
  button('Refresh CRM Profile')?.click();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.answer(yes('61307', sampleDecision({ outcome: { team: 'Medium - Grow' } })));
  await shows('Medium - Grow');
  await collapse();
  button('Refresh CRM Profile')?.click();
  await vi.waitFor(() => expect(vi.mocked(send).mock.calls.filter(([verb]) => verb === 'profile.get')).toHaveLength(3));
  expect(asked).toHaveLength(2);
});

test('closing the panel forgets the answer; opened again, it asks again', async () => {
  await explain();
  asked[0]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
  panel.close();
  open('61307');
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  expect(text()).not.toContain('Auto-routed:');
});

test('another ticket: the request is given up, its late answer dropped, and the section closed again', async () => {
  await explain('1');
  panel.setTicket('2');
  await vi.waitFor(() => expect(cancelled).toEqual([asked[0]?.input.call]));
  asked[0]?.answer(yes('1', sampleDecision({ outcome: { team: 'Late and wrong' } })));
  await vi.waitFor(() => expect(disclosure()?.getAttribute('aria-expanded')).toBe('false'));
  disclosure()?.click();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.answer(yes('2', sampleDecision({ outcome: { team: 'CS 60p' } })));
  await shows('CS 60p');
  expect(text()).not.toContain('Late and wrong');
});

test.each<[string, RoutingResult]>([
  ['an answer about another ticket', yes('2', sampleDecision())],
  [
    'a decision about another ticket',
    { ok: true, routing: { ticket: '61307', decisions: [sampleDecision({ ticket: '2' })] } },
  ],
])('%s is never shown', async (_, result) => {
  await explain();
  asked[0]?.answer(result);
  await shows('do not understand each other');
  expect(text()).not.toContain('Auto-routed:');
});

test('no decision: why not, where the ticket is, and a way to look again', async () => {
  await explain();
  asked[0]?.answer(yes('61307'));
  await shows('Deskside has not routed this ticket');
  expect(text()).toContain('Its team, Medium - Scale, was set by somebody or something else.');
  button('Ask again')?.click();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
});

test('after a failure it can be tried again', async () => {
  await explain();
  asked[0]?.answer(no('helpdesk_timeout'));
  await shows('The helpdesk takes too long');
  expect(text()).toContain('Request req-9');
  button('Try again')?.click();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
  expect(text()).not.toContain('The helpdesk takes too long');
});

test('signing in from the section shows the decision', async () => {
  await explain();
  asked[0]?.answer(no('signed_out'));
  await shows('Sign in to see why');
  vi.mocked(send).mockResolvedValueOnce(true as never);
  button('Sign in')?.click();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
});

test.each([
  ['ticket_not_readable', false],
  ['unreachable', true],
] as const)('a refresh that fails with %s: the decision stays on screen: %s', async (code, stays) => {
  await explain();
  asked[0]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
  button('Refresh CRM Profile')?.click();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.answer(no(code));
  await shows('Request req-9');
  expect(text().includes('Auto-routed:')).toBe(stays);
});

test('offline: it says so, and asks by itself when the connection is back', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await explain();
  asked[0]?.answer(no('unreachable'));
  await shows('This comes by itself as soon as you are connected again.');
  onLine.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  onLine.mockRestore();
});

test('earlier decisions stand below the latest one, folded', async () => {
  await explain();
  const earlier = sampleDecision({ id: 'd1', outcome: { team: 'CS 60p', fallback: 'crm' } });
  asked[0]?.answer(yes('61307', sampleDecision({ id: 'd2', number: 2, cause: 'repair' }), earlier));
  await shows('Earlier decision');
  const fold = [...container.querySelectorAll('details')].find((d) => d.textContent?.startsWith('CS 60p'));
  expect(fold?.open).toBe(false);
  expect(fold?.textContent).toContain('Decided again since, as shown above.');
});

test('what the sender wrote is text: no element, no link', async () => {
  const hostile = '<img src=x onerror="alert(1)"><a href="javascript:alert(2)">x</a>';
  const finding = { kind: 'platform_domain', value: hostile, source: 'text', field: hostile, quote: hostile } as const;
  await explain();
  const links = container.querySelectorAll('a').length;
  asked[0]?.answer(
    yes(
      '61307',
      sampleDecision({
        inputs: {
          findings: [{ ...finding, address: 'https://evil.example/' }],
          meta_failures: [{ address: 'javascript:alert(3)', outcome: 'none', why: 'blocked' }],
          customer: { name: hostile, segment: hostile, shop_plan: hostile, checked_at: null },
        },
        outcome: { team: hostile, reason: hostile },
        link: { customer: hostile, previous: hostile, done: true },
      }),
    ),
  );
  await shows(hostile);
  expect(container.querySelector('img, script, [onerror]')).toBeNull();
  expect(container.querySelectorAll('a')).toHaveLength(links);
});

test.each(['en', 'vi'] as const)('every failure has words, and something to do about it (%s)', async (language) => {
  panel.setLanguage(language);
  for (const code of panelErrorCodes) {
    await explain();
    asked.at(-1)?.answer(no(code));
    await vi.waitFor(() => expect(text()).toContain('req-9'), { interval: 2 });
    expect(text()).not.toMatch(/undefined|\[object|NaN/);
    expect(container.querySelectorAll('h4 + div button').length).toBeGreaterThan(0);
    panel.setTicket(null);
  }
});
