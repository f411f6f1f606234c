// @vitest-environment happy-dom
import type { RoutingDecision, RoutingDecisions } from '@deskside/shared/routing';
import { onlineManager } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { Result } from '#messaging/protocol.ts';
import { createQueryClient } from '#panel/query/profile-query.ts';
import { textsFor } from '#panel/texts/texts.ts';
import { button, container, mountPanel, no, of, openTicket, panel, shows, text } from '#testing/mounted-panel.ts';
import { withoutAround } from '#testing/sample-answers.ts';
import { sampleDecision } from '#testing/sample-decision.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => import('#testing/mocked-send.ts'));
mountPanel((verb, { ticket: name }) => {
  if (verb === 'routing.get') return undefined;
  if (verb === 'around.get') return withoutAround;
  if (verb !== 'profile.get') return null;
  return { ok: true, data: sampleProfile({ ticket: { name } }) };
});

const asked = () => of('routing.get');
const disclosure = () =>
  [...container().querySelectorAll('summary')].find(({ textContent }) =>
    ['Why this team?', 'Vì sao vào nhóm này?'].includes(textContent ?? ''),
  );
const section = () => disclosure()?.closest('details') as HTMLDetailsElement;
const yes = (ticket: string, ...decisions: RoutingDecision[]): Result<RoutingDecisions> => ({
  ok: true,
  data: { ticket, names: {}, decisions: decisions.map((decision) => ({ ...decision, ticket })) },
});

/** Opens the panel, and the section in it. */
async function explain(ticket = '61307') {
  const before = asked().length;
  openTicket(ticket);
  await until(() => expect(disclosure()).toBeDefined());
  if (!section().open) disclosure()?.click();
  // The request that this made, not an earlier one for the same ticket.
  await until(() => expect(asked().slice(before).at(-1)?.input.ticket).toBe(ticket));
}

test('open or closed, it is so for the next ticket too, however soon that comes', async () => {
  await explain();
  panel().setTicket('2');
  await until(() => expect(asked().at(-1)?.input.ticket).toBe('2'));
  expect(section().open).toBe(true);
  // The browser tells of it later, in an event of its own: by then another ticket is there.
  container().addEventListener('toggle', (event) => event.stopPropagation(), { capture: true, once: true });
  disclosure()?.click();
  panel().setTicket('3');
  await until(() => expect(disclosure()).toBeDefined());
  expect(section().open).toBe(false);
});

test('a decision about another ticket is never shown', async () => {
  await explain();
  asked()[0]?.answer({ ok: true, data: { ticket: '61307', names: {}, decisions: [sampleDecision({ ticket: '2' })] } });
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

test('a reason that has not been written yet is not said to be on the ticket', async () => {
  await explain();
  asked()[0]?.answer(yes('61307', sampleDecision({ state: 'planned' })));
  await shows('Reason: Auto-routed:');
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
  window.dispatchEvent(new Event('offline'));
  await explain();
  asked()[0]?.answer(no('offline'));
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

test('a panel that begins without a network hears when it is back', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  createQueryClient();
  const changed = vi.fn();
  const end = onlineManager.subscribe(changed);
  window.dispatchEvent(new Event('online'));
  expect(changed).toHaveBeenCalledWith(true);
  end();
  onLine.mockRestore();
});
