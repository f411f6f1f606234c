// @vitest-environment happy-dom
import type { Today } from '@deskside/shared/today';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ask } from '#messaging/page-protocol.ts';
import type { PanelErrorCode, Result } from '#messaging/protocol.ts';
import { textsFor } from '#panel/texts/texts.ts';
import { sampleDecision } from '#testing/sample-decision.ts';
import { sampleToday } from '#testing/sample-today.ts';
import { dayOf, TeamPage } from './team-page.tsx';

vi.mock('#messaging/page-protocol.ts', () => ({ ask: vi.fn() }));
const stored = vi.hoisted(() => ({ listener: (_: object) => {} }));
vi.mock('wxt/browser', () => ({
  browser: {
    i18n: { getUILanguage: () => 'en' },
    storage: {
      session: {
        onChanged: {
          addListener: (listener: typeof stored.listener) => Object.assign(stored, { listener }),
          removeListener() {},
        },
      },
    },
  },
}));

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 10, 20, 15, 0), toFake: ['setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const minute = 60_000;
const yes = (today: Today): Result<Today> => ({ ok: true, data: today });
const no = (code: PanelErrorCode): Result<Today> => ({ ok: false, error: { code } });

/** The page, with what the background answers to the questions for today, one after another; the last stays. */
async function show(answers: Result<Today>[], { spoken = 'en' as 'en' | 'vi', answer = {} } = {}) {
  const left = [...answers];
  const asked: { verb: string; input: unknown }[] = [];
  vi.mocked(ask).mockImplementation((async (verb: string, input: unknown) => {
    asked.push({ verb, input });
    if (verb === 'options.state') return { spoken, helpdesk: { value: 'https://help.example' } };
    if (verb === 'team.today') return left.length > 1 ? left.shift() : left[0];
    if (verb === 'options.signIn') return null;
    return answer;
  }) as never);
  document.body.innerHTML = '<div id="root"></div>';
  const page = document.querySelector('#root') as HTMLElement;
  const root = createRoot(page);
  onTestFinished(() => act(() => root.unmount()));
  await act(async () => root.render(<TeamPage />));
  await pass(0);
  const button = (name: string) =>
    [...page.querySelectorAll('button')].find(
      (one) => one.textContent?.includes(name) || one.getAttribute('aria-label') === name,
    ) as HTMLButtonElement;
  return {
    page,
    button,
    async press(name: string) {
      act(() => button(name).click());
      await pass(0);
    },
    asked: (verb: string) => asked.filter((one) => one.verb === verb),
    table: (label: string) =>
      [...page.querySelectorAll(`[aria-label="${label}"] tbody tr`)]
        .filter((row) => !(row as HTMLElement).hidden)
        .map((row) => [...row.children].map((cell) => cell.textContent)),
  };
}

/** Time passes, and then React does what there is to do. */
async function pass(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms));
  await act(() => vi.advanceTimersByTimeAsync(0));
}

test('each agent has a bar, and the same in numbers, beside what they were due', async () => {
  const today = sampleToday(40);
  const { page, asked, table } = await show([yes(today)]);
  expect(asked('team.today')).toEqual([{ verb: 'team.today', input: dayOf(new Date()) }]);
  expect(table('CS 60p')[0]).toEqual(['Nguyễn Hoài An', '', '4', '3.8']);
  expect(table('Medium - Scale')[2]).toEqual(['Nguyễn Hoài An', '', '3', '3.3']);
  const bars = page.querySelectorAll('svg.bar .got');
  expect(bars).toHaveLength(today.teams.flatMap(({ agents }) => agents).length);
  const due = page.querySelectorAll('svg.bar .due');
  // Both are to the scale of the most that anybody got.
  expect([bars[0]?.getAttribute('width'), due[0]?.getAttribute('x1')]).toEqual(['100%', '93.8%']);
  expect(bars[3]?.getAttribute('width')).toBe('75%');
  expect(page.textContent).toContain('20 tickets · 3 waiting for an agent · 2 assigned by a person');
});

test('what waits is listed with its reason, and what may not be seen is counted', async () => {
  const { page, table } = await show([yes(sampleToday(40))]);
  expect(table('Waiting for an agent')).toEqual([
    ['#61390', 'CS 60p', '2 hours ago', '3 not available and 1 account turned off.'],
    ['#61389', 'No team', '1 hour ago', 'Its team does not exist or is turned off.'],
  ]);
  expect(page.textContent).toContain('One more is on a ticket that you may not see.');
  expect(page.textContent).toContain('2 more are on tickets that you may not see.');
  const link = page.querySelector('[aria-label="Waiting for an agent"] a') as HTMLAnchorElement;
  expect([link.href, link.rel]).toEqual(['https://help.example/helpdesk/tickets/61390', 'noopener noreferrer']);
});

test('a list that is longer than what is shown has all its rows at one press, says how many they are, and keeps them', async () => {
  const short = sampleToday(80);
  const rows = [...short.decisions.rows, { ...short.decisions.rows[0], id: '1', ticket: '60001' }] as never;
  const long = { ...short, decisions: { hidden: 0, is_more: false, rows } };
  const { page, asked, button, press, table } = await show([yes(short), yes(long)]);
  expect(page.textContent).toContain('The newest 52 are shown.');
  await press('Show all');
  expect(asked('team.today').at(-1)?.input).toEqual({ ...dayOf(new Date()), rows: 1_000 });
  expect(table('Last decisions').at(-1)?.[1]).toBe('#60001');
  expect(button('Show all')).toBeUndefined();
  expect(page.textContent).toContain('Last decisions51 in all.');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Last decisions');
  await pass(minute);
  expect(asked('team.today').at(-1)?.input).toMatchObject({ rows: 1_000 });
});

test('a decision opens the explanation of the panel, read only then', async () => {
  const decision = sampleDecision({ id: '9000', ticket: '61400' });
  const answer = { ok: true, data: { ticket: '61400', decisions: [decision], names: {} } };
  const { page, asked, button, press } = await show([yes(sampleToday(40))], { answer });
  expect(asked('team.decisions')).toEqual([]);
  await press('Why? #61400');
  expect(asked('team.decisions')).toEqual([{ verb: 'team.decisions', input: { ticket: '61400' } }]);
  expect(page.textContent).toContain('an@support.example was next in turn');
  expect(button('Why? #61400').getAttribute('aria-expanded')).toBe('true');
  await press('Why? #61400');
  expect(page.textContent).not.toContain('an@support.example was next in turn');
});

test('an explanation that may not be seen, or is gone, is said to be', async () => {
  const refused = await show([yes(sampleToday(1))], { answer: { ok: false, error: { code: 'ticket_not_readable' } } });
  await refused.press('Why? #61400');
  expect(refused.page.textContent).toContain(textsFor('en').failures.code.ticket_not_readable.title);
  const gone = await show([yes(sampleToday(1))], { answer: { ok: true, data: { decisions: [], names: {} } } });
  await gone.press('Why? #61400');
  expect(gone.page.textContent).toContain('This decision is no longer kept.');
});

test('it is read again each minute while it is seen, and at once when it is seen again', async () => {
  const { asked, page, press } = await show([yes(sampleToday(0)), yes(sampleToday(1))]);
  expect(page.textContent).toContain('No ticket has come in today yet.');
  await pass(minute);
  expect(asked('team.today')).toHaveLength(2);
  expect(page.textContent).not.toContain('No ticket has come in today yet.');
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await pass(5 * minute);
  expect(asked('team.today')).toHaveLength(2);
  seen.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await pass(0);
  expect(asked('team.today')).toHaveLength(3);
  await press('Refresh');
  expect(asked('team.today')).toHaveLength(4);
});

test('while it cannot be read again the last numbers stay, with their time', async () => {
  const { page, press } = await show([yes(sampleToday(40)), no('helpdesk_timeout'), yes(sampleToday(40))]);
  await pass(minute);
  expect(page.querySelector('[role="status"]')?.textContent).toContain('The helpdesk is taking too long');
  expect(page.querySelector('[role="status"]')?.textContent).toContain('These numbers are from');
  expect(page.textContent).toContain('Who got what');
  await press('Try again');
  expect(page.textContent).not.toContain('The helpdesk is taking too long');
});

test('a plain agent is told who may see this, nothing of it is shown, and nothing more is asked', async () => {
  const { page, asked } = await show([yes(sampleToday(40)), no('not_a_manager')]);
  await pass(minute);
  expect(page.textContent).toContain('It takes the role Agent Manager in the helpdesk.');
  expect(page.textContent).not.toContain('Who got what');
  await pass(10 * minute);
  expect(asked('team.today')).toHaveLength(2);
});

test('once somebody else is signed in, what was told before goes and is asked for them', async () => {
  const { page, asked } = await show([yes(sampleToday(40)), no('not_a_manager'), yes(sampleToday(1))]);
  const signIn = async (oldValue: object | undefined, newValue: object | undefined) => {
    act(() => stored.listener({ token: { oldValue, newValue } }));
    await pass(0);
  };
  await signIn({ user: 'chi', value: '1' }, { user: 'chi', value: '2' });
  expect(asked('team.today')).toHaveLength(1);
  await signIn({ user: 'chi' }, { user: 'an' });
  expect(page.textContent).not.toContain('Who got what');
  expect(page.textContent).toContain('It takes the role Agent Manager in the helpdesk.');
  await signIn({ user: 'an' }, { user: 'chi' });
  expect(page.textContent).toContain('Who got what');
});

test('whoever is signed out can sign in here', async () => {
  const { page, asked, press } = await show([no('signed_out'), yes(sampleToday(1))]);
  expect(page.textContent).toContain('Sign in to see what your teams got today');
  await press('Sign in');
  expect(asked('options.signIn')).toHaveLength(1);
  expect(page.textContent).toContain('Who got what');
});

test('systems that fail are named', async () => {
  const crm = { state: 'failing' as const, error: 'unauthorized' as const, lanes: [] };
  const { page } = await show([yes(sampleToday(1, { helpdesk: { answers: false }, crm }))]);
  expect(page.textContent).toContain('It does not answer Deskside’s own key.');
  expect(page.textContent).toContain(textsFor('en').crm.error.unauthorized);
});

test.each(['en', 'vi'] as const)('nothing is left unsaid: %s', async (spoken) => {
  const { page } = await show([yes(sampleToday(40))], { spoken });
  expect(page.textContent).not.toMatch(/undefined|\[object|NaN/);
  expect(document.documentElement.lang).toBe(spoken);
});
