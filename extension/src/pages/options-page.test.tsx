// @vitest-environment happy-dom
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { requestOrigins } from '#browser/browser.ts';
import { ask, type ConnectionTest, type OptionsState, type ServedHelpdesk } from '#messaging/page-protocol.ts';
import type { Result } from '#messaging/protocol.ts';
import { discovery, helpdesk, proxy, sampleState, whoami } from '#testing/sample-connection.ts';
import { until } from '#testing/until.ts';
import { OptionsPage } from './options-page.tsx';
import { optionsTextsIn } from './texts.ts';

vi.mock('#messaging/page-protocol.ts', () => ({ ask: vi.fn() }));
vi.mock('#browser/browser.ts', () => ({ requestOrigins: vi.fn(), openShortcutSettings: () => {} }));
vi.mock('#browser/settings.ts', () => ({ onPolicyLearnt: () => () => {} }));
vi.mock('wxt/browser', () => {
  const event = { addListener: () => {}, removeListener: () => {} };
  return { browser: { i18n: { getUILanguage: () => 'en' }, permissions: { onAdded: event, onRemoved: event } } };
});

const texts = optionsTextsIn('en');
const named: Result<ServedHelpdesk> = { ok: true, data: { proxy, helpdesk } };

let root: Root;
let signInProblem: string | null;
/** What the background learns of the person when it signs in. */
let learnt: object;
let asked: [verb: string, input: unknown][];
/** What the background knows and answers. */
let background: {
  state: OptionsState;
  found: Result<ServedHelpdesk>;
  test: ConnectionTest;
};
const verbs = () => asked.map(([verb]) => verb).filter((verb) => verb !== 'options.state');
const text = () => document.body.textContent ?? '';
const shows = (words: string) => until(() => expect(text()).toContain(words));
const field = () => document.querySelector('input') as HTMLInputElement;
const focused = () => document.activeElement?.textContent;
const press = async (label: string) => {
  const button = await until(() => {
    const found = [...document.querySelectorAll('button')].find((b) => b.textContent === label);
    expect(found).toBeDefined();
    return found as HTMLButtonElement;
  });
  button.click();
};

function type(value: string) {
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  setter?.call(field(), value);
  field().dispatchEvent(new Event('input', { bubbles: true }));
}

async function start() {
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.querySelector('#root') as HTMLElement);
  root.render(<OptionsPage />);
  await shows(texts.preferences.heading);
}

async function enter(address: string) {
  await until(() => expect(field()).not.toBeNull());
  type(address);
  await press(texts.address.go);
}

/** Goes through the first run as far as the browser's permission. */
async function allow() {
  await start();
  await enter(proxy);
  await press(texts.access.allow);
}

beforeEach(() => {
  asked = [];
  signInProblem = null;
  learnt = {};
  background = {
    state: sampleState(),
    found: named,
    test: {
      discovery: { ok: true, data: discovery },
      canSignIn: true,
      whoami: { ok: true, data: whoami },
    },
  };
  vi.mocked(requestOrigins).mockReset().mockResolvedValue(true);
  vi.mocked(ask).mockImplementation(async (verb, input) => {
    asked.push([verb, input]);
    if (verb === 'welcome.find') return background.found as never;
    if (verb === 'options.test') {
      background.state = { ...background.state, ...learnt };
      return background.test as never;
    }
    if (verb === 'options.signIn') return signInProblem as never;
    if (verb === 'options.saveAddresses') {
      const given = input as { helpdesk: string; proxy: string };
      background.state = {
        ...background.state,
        helpdesk: { value: given.helpdesk, lock: null, granted: true },
        proxy: { value: given.proxy, lock: null, granted: true },
      };
    }
    return background.state as never;
  });
});
afterEach(() => {
  root.unmount();
  location.hash = '';
});

test('one address, one permission, and the tickets are a click away; the focus goes along', async () => {
  await start();
  await until(() => expect(document.activeElement).toBe(field()));
  await enter('proxy.example/some/page');
  await shows(texts.access.heading);
  expect(asked).toContainEqual(['welcome.find', { proxy }]);
  expect(text()).toContain('help.example');
  expect(text()).toContain('proxy.example');
  expect(focused()).toBe(texts.access.allow);

  await press(texts.access.allow);
  expect(requestOrigins).toHaveBeenCalledWith([helpdesk, proxy]);
  await shows(texts.ready.heading('Nguyễn An'));
  expect(asked).toContainEqual(['options.saveAddresses', { helpdesk, proxy }]);
  const tickets = document.querySelector<HTMLAnchorElement>('a.button');
  expect(tickets?.href).toBe(`${helpdesk}/helpdesk/tickets`);
  expect(document.activeElement).toBe(tickets);
});

test('once the person is known the page speaks their language', async () => {
  learnt = { language: 'vi', spoken: 'vi' };
  await allow();
  await shows(optionsTextsIn('vi').ready.heading('Nguyễn An'));
});

test('a refused permission is explained, changes nothing, and can be asked for again', async () => {
  vi.mocked(requestOrigins).mockResolvedValue(false);
  await allow();
  await shows(texts.access.refused);
  expect(focused()).toBe(texts.access.allow);
  expect(verbs()).toEqual(['welcome.find']);
  vi.mocked(requestOrigins).mockResolvedValue(true);
  await press(texts.access.allow);
  await shows(texts.ready.heading('Nguyễn An'));
});

test.each(['http://deskside.example', 'ftp://deskside.example', 'no address', ''])(
  '%j is refused in words before anything is asked',
  async (address) => {
    await start();
    await enter(address);
    await until(() => expect(document.querySelector('.problem')?.textContent).not.toBe(''));
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field());
    expect(verbs()).toEqual([]);
  },
);

test.each(['unreachable', 'timeout', 'bad_answer', 'rate_limited'] as const)(
  'an address that gives no helpdesk (%s) is said so, and the focus is in the field',
  async (code) => {
    background.found = { ok: false, error: { code } };
    await start();
    await enter(proxy);
    await shows(texts.address.answers[code]);
    expect(document.activeElement).toBe(field());
    background.found = named;
    await press(texts.address.go);
    await shows(texts.access.heading);
  },
);

test('an address from a link is shown, and used only once the person continues', async () => {
  location.hash = `#proxy=${proxy}`;
  await start();
  await shows(texts.address.linked);
  expect(field().value).toBe(proxy);
  expect(verbs()).toEqual([]);
  await press(texts.address.go);
  await shows(texts.access.careful);
  expect(requestOrigins).not.toHaveBeenCalled();
});

test('an address from a link changes nothing where Deskside is set up', async () => {
  location.hash = '#proxy=https://evil.example';
  const set = (value: string) => ({ value, lock: null, granted: true });
  background.state = { ...background.state, helpdesk: set(helpdesk), proxy: set(proxy) };
  await start();
  await shows(texts.ready.heading('Nguyễn An'));
  expect(text()).not.toContain('evil');
});

test("an organisation's proxy needs no typing, and its two addresses only the permission", async () => {
  background.state = { ...background.state, proxy: { value: proxy, lock: 'policy', granted: false } };
  await start();
  await shows(texts.access.heading);
  expect(asked).toContainEqual(['welcome.find', { proxy }]);
  expect(text()).not.toContain(texts.change);
  root.unmount();
  asked = [];
  background.state = { ...background.state, helpdesk: { value: helpdesk, lock: 'policy', granted: false } };
  await start();
  await shows(texts.access.heading);
  expect(verbs()).toEqual([]);
});

test.each([
  ['signed_out', texts.signIn.problems.signed_out, texts.signIn.signIn, []],
  // Another account is looked for afresh.
  ['not_an_agent', texts.signIn.problems.not_agent, texts.signIn.again, ['options.signOut']],
] as const)(
  'whom the helpdesk calls %s is told so, signs in there, and goes on',
  async (code, problem, label, before) => {
    const { test } = background;
    background.test = { ...test, whoami: { ok: false, error: { code } } };
    await allow();
    await shows(problem);
    expect(focused()).toBe(label);
    background.test = test;
    const earlier = verbs().length;
    await press(label);
    await shows(texts.ready.heading('Nguyễn An'));
    expect(verbs().slice(earlier)).toEqual([...before, 'options.signIn', 'options.test']);
  },
);

test('whoever the helpdesk turns away at its own sign-in is told why', async () => {
  background.test = { ...background.test, whoami: { ok: false, error: { code: 'signed_out' } } };
  signInProblem = 'signed_out';
  await allow();
  await press(texts.signIn.signIn);
  await shows(texts.signIn.problems.refused);
});
