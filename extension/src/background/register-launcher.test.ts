import { expect, test } from 'vitest';
import { createLauncherRegistration, desiredRegistrations } from '#background/tabs.ts';
import type { Registration, Scripting } from './browser.ts';

/** A browser's registrations in memory. Like a real one it refuses an id twice, and forgets the leading slash. */
function fakeScripting(start: Registration[] = []) {
  let scripts = start;
  const log: string[] = [];
  const scripting: Scripting = {
    registered: async () => scripts,
    async register(script) {
      if (scripts.some(({ id }) => id === script.id)) throw new Error(`Duplicate script ID '${script.id}'`);
      scripts = [...scripts, { ...script, js: script.js.map((file) => file.slice(1)) }];
      log.push(`register ${script.id} ${script.matches}`);
    },
    async unregister(ids) {
      scripts = scripts.filter(({ id }) => !ids.includes(id));
      log.push(`unregister ${ids}`);
    },
    async inject(tab, file) {
      log.push(`inject ${file} ${tab}`);
      return true;
    },
    openTabs: async () => [3, 4],
    addCss: async () => {},
  };
  return { scripting, log, registered: () => scripts };
}

test("the launcher is registered on a granted helpdesk's ticket pages only, and injected into open ones", async () => {
  const { scripting, log } = fakeScripting();
  await createLauncherRegistration(scripting, async () => 'https://help.example:8443')(false);
  expect(log).toEqual([
    'register launcher https://help.example/helpdesk/*',
    'inject /launcher.js 3',
    'inject /launcher.js 4',
  ]);
});

test('a second run changes nothing', async () => {
  const { scripting, log } = fakeScripting();
  const register = createLauncherRegistration(scripting, async () => 'https://help.example');
  await register(true);
  log.length = 0;
  await register(false);
  expect(log).toEqual([]);
});

test('after an update the launcher is injected into open pages again, even if it is registered', async () => {
  const { scripting, log } = fakeScripting();
  const register = createLauncherRegistration(scripting, async () => 'https://help.example');
  await register(false);
  log.length = 0;
  await register(true);
  expect(log).toEqual(['inject /launcher.js 3', 'inject /launcher.js 4']);
});

test('another helpdesk replaces the registration, a revoked permission removes it', async () => {
  let helpdesk: string | null = 'https://old.example';
  const { scripting, registered } = fakeScripting();
  const register = createLauncherRegistration(scripting, async () => helpdesk);
  await register(false);
  helpdesk = 'https://new.example';
  await register(false);
  expect(new Set(registered().flatMap(({ matches }) => matches))).toEqual(new Set(['https://new.example/helpdesk/*']));
  helpdesk = null;
  await register(false);
  expect(registered()).toEqual([]);
});

test('registrations of older versions are removed', async () => {
  const { scripting, registered } = fakeScripting([{ id: 'old', js: ['old.js'], matches: ['https://x.example/*'] }]);
  await createLauncherRegistration(scripting, async () => 'https://help.example')(false);
  expect(registered().map(({ id }) => id)).toEqual(['launcher']);
});

test('concurrent runs do not register twice, and a failed one does not stop the next', async () => {
  const { scripting, registered } = fakeScripting();
  let calls = 0;
  const register = createLauncherRegistration(scripting, async () => {
    if (++calls === 2) throw new Error('storage is gone');
    return 'https://help.example';
  });
  const results = await Promise.allSettled([register(false), register(false), register(true)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(registered()).toHaveLength(1);
});

test('no helpdesk, no registration', () => expect(desiredRegistrations(null)).toEqual([]));
