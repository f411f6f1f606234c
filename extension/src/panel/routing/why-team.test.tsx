// @vitest-environment happy-dom
import type { RoutingDecision, RoutingDecisions } from '@deskside/shared/routing';
import { expect, test, vi } from 'vitest';
import { panelErrorCodes, type Result } from '#messaging/protocol.ts';
import { send } from '#messaging/send.ts';
import { textsFor } from '#panel/texts.ts';
import { button, container, mountPanel, no, of, panel, says, shows, text } from '#testing/mounted-panel.ts';
import { withoutAround } from '#testing/sample-around.ts';
import { sampleDecision } from '#testing/sample-decision.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => import('#testing/mocked-send.ts'));
mountPanel((verb, { ticket: name }) => {
  if (verb === 'routing.get') return undefined;
  if (verb === 'around.get') return withoutAround;
  if (verb !== 'profile.get') return null;
  return { ok: true, data: sampleProfile({ ticket: { ...sampleProfile().ticket, name } }) };
});

const asked = () => of('routing.get');
const disclosure = () =>
  [...container().querySelectorAll('summary')].find(({ textContent }) =>
    ['Why this team?', 'Vì sao vào nhóm này?'].includes(textContent ?? ''),
  );
const section = () => disclosure()?.closest('details') as HTMLDetailsElement;
/** As a browser does when its summary is pressed. */
function toggle() {
  section().open = !section().open;
  section().dispatchEvent(new Event('toggle'));
}
const yes = (ticket: string, ...decisions: RoutingDecision[]): Result<RoutingDecisions> => ({
  ok: true,
  data: { ticket, names: {}, decisions: decisions.map((decision) => ({ ...decision, ticket })) },
});
const open = (ticket: string) => panel().open({ ticket, refresh: false, returnFocusTo: () => null });

/** Opens the panel, and the section in it. */
async function explain(ticket = '61307') {
  const before = asked().length;
  open(ticket);
  await until(() => expect(disclosure()).toBeDefined());
  if (!section().open) toggle();
  // The request that this made, not an earlier one for the same ticket.
  await until(() => expect(asked().slice(before).at(-1)?.input.ticket).toBe(ticket));
}

async function collapse() {
  toggle();
  await until(() => expect(text()).not.toContain('Auto-routed:'));
}

test('it is collapsed at first, and requests nothing until it is opened', async () => {
  open('61307');
  await shows('Why this team?');
  expect([section().open, asked().length]).toEqual([false, 0]);
  toggle();
  await until(() => expect(asked()).toHaveLength(1));
  expect(text()).toContain('Loading the routing decision');
});

test('opened, it shows and announces the decision, and requests it once however often it is opened', async () => {
  await explain();
  asked()[0]?.answer(yes('61307', sampleDecision()));
  await shows('Medium - Scale');
  for (const words of ['an@support.example', 'Auto-routed:', 'a Scale plan', 'Verified'])
    expect(text()).toContain(words);
  await says('Routing decision loaded: Medium - Scale.');
  await collapse();
  toggle();
  await shows('Auto-routed:');
  expect(asked()).toHaveLength(1);
});

test('a refresh of the profile requests the decision again, but only while the section is open', async () => {
  await explain();
  asked()[0]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
  button('Refresh CRM Profile')?.click();
  await until(() => expect(asked()).toHaveLength(2));
  asked()[1]?.answer(yes('61307', sampleDecision({ outcome: { team: 'Medium - Grow' } })));
  await shows('Medium - Grow');
  await collapse();
  button('Refresh CRM Profile')?.click();
  await until(() => expect(vi.mocked(send).mock.calls.filter(([verb]) => verb === 'profile.get')).toHaveLength(3));
  expect(asked()).toHaveLength(2);
});

test('on another ticket the request is cancelled, a late answer dropped, and the section closed', async () => {
  await explain('1');
  panel().setTicket('2');
  await until(() => expect(asked()[0]?.signal?.aborted).toBe(true));
  asked()[0]?.answer(yes('1', sampleDecision({ outcome: { team: 'Late and wrong' } })));
  await explain('2');
  asked()[1]?.answer(yes('2', sampleDecision({ outcome: { team: 'CS 60p' } })));
  await shows('CS 60p');
  expect(text()).not.toContain('Late and wrong');
});

test('as the agent left it, it is open for the next ticket, and closed again once they close it', async () => {
  await explain('1');
  asked()[0]?.answer(yes('1', sampleDecision()));
  await shows('Auto-routed:');
  panel().setTicket('2');
  await until(() => expect(asked()).toHaveLength(2));
  expect(asked()[1]?.input.ticket).toBe('2');
  expect(section().open).toBe(true);
  toggle();
  panel().setTicket('3');
  await until(() => expect(disclosure()).toBeDefined());
  expect(section().open).toBe(false);
});

test.each<[string, Result<RoutingDecisions>]>([
  ['an answer about another ticket', yes('2', sampleDecision())],
  [
    'a decision about another ticket',
    { ok: true, data: { ticket: '61307', names: {}, decisions: [sampleDecision({ ticket: '2' })] } },
  ],
])('%s is never shown', async (_, result) => {
  await explain();
  asked()[0]?.answer(result);
  await shows('sent an unreadable answer');
  expect(text()).not.toContain('Auto-routed:');
});

test('without a decision it says why, names the current team and offers to check again', async () => {
  await explain();
  asked()[0]?.answer(yes('61307'));
  await shows('Deskside has not routed this ticket');
  expect(text()).toContain('Its team, Medium - Scale, was set by someone or something else.');
  button('Check again')?.click();
  await until(() => expect(asked()).toHaveLength(2));
  asked()[1]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
});

test('a failed request can be retried', async () => {
  await explain();
  asked()[0]?.answer(no('helpdesk_timeout'));
  await shows('The helpdesk is taking too long');
  button('Try again')?.click();
  await until(() => expect(asked()).toHaveLength(2));
  asked()[1]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
  // What is announced follows a moment later.
  await until(() => expect(text()).not.toContain('The helpdesk is taking too long'));
});

test('signing in from the section shows the decision', async () => {
  await explain();
  asked()[0]?.answer(no('signed_out'));
  await shows('Sign in to see the customer');
  vi.mocked(send).mockResolvedValueOnce(null);
  button('Sign in')?.click();
  await until(() => expect(asked()).toHaveLength(2));
  asked()[1]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
});

test.each([
  ['ticket_not_readable', false],
  ['unreachable', true],
] as const)('a refresh that fails with %s: the decision stays on screen: %s', async (code, stays) => {
  await explain();
  asked()[0]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
  button('Refresh CRM Profile')?.click();
  await until(() => expect(asked()).toHaveLength(2));
  asked()[1]?.answer(no(code));
  await shows(textsFor('en').failures.code[code].title);
  expect(text().includes('Auto-routed:')).toBe(stays);
});

test('offline, it says so, and requests the decision when the connection is back, again if that was too early', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await explain();
  asked()[0]?.answer(no('unreachable'));
  await shows('This will load as soon as you are back online.');
  onLine.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await until(() => expect(asked()).toHaveLength(2));
  asked()[1]?.answer(no('unreachable'));
  await until(() => expect(asked()).toHaveLength(3));
  asked()[2]?.answer(yes('61307', sampleDecision()));
  await shows('Auto-routed:');
  onLine.mockRestore();
});

test('earlier decisions are listed below the latest one, collapsed', async () => {
  await explain();
  const earlier = sampleDecision({ id: 'd1', outcome: { team: 'CS 60p', fallback: 'crm' } });
  asked()[0]?.answer(yes('61307', sampleDecision({ id: 'd2', number: 2, cause: 'repair' }), earlier));
  await shows('Earlier decision');
  const [folded] = section().querySelectorAll('details');
  expect([folded?.open, folded?.textContent?.includes('routed again since; see above.')]).toEqual([false, true]);
});

test('what the sender wrote is text: no element, no link', async () => {
  const hostile = '<img src=x onerror="alert(1)"><a href="javascript:alert(2)">x</a>';
  const finding = { kind: 'platform_domain', value: hostile, source: 'text', field: hostile, quote: hostile } as const;
  await explain();
  const links = container().querySelectorAll('a').length;
  asked()[0]?.answer(
    yes(
      '61307',
      sampleDecision({
        inputs: {
          findings: [{ ...finding, address: 'https://evil.example/' }],
          meta_failures: [{ address: 'javascript:alert(3)', outcome: 'none', why: 'blocked' }],
          customer: {
            name: hostile,
            org_id: null,
            segment: hostile,
            shop_plan: hostile,
            checked_at: null,
            source: 'hd_customer',
          },
        },
        outcome: { team: hostile, reason: hostile },
        link: { customer: hostile, previous: hostile, done: true },
      }),
    ),
  );
  await shows(hostile);
  expect(container().querySelector('img, script, [onerror]')).toBeNull();
  expect(container().querySelectorAll('a')).toHaveLength(links);
});

test.each(['en', 'vi'] as const)('every failure has a text and an action (%s)', async (language) => {
  panel().setLanguage(language);
  for (const code of panelErrorCodes) {
    await explain();
    asked().at(-1)?.answer(no(code));
    const { title } = textsFor(language).failures.code[code];
    await until(() => expect(text()).toContain(title));
    expect(text()).not.toMatch(/undefined|\[object|NaN/);
    expect(container().querySelectorAll('button').length).toBeGreaterThan(0);
    panel().setTicket(null);
  }
});
