import { expect, test } from 'vitest';
import type { Registration, Scripting } from '../platform/scripting.ts';
import { createLauncherSync, wantedRegistration } from './sync-launcher.ts';

/** A browser's registrations in memory. Like a real one it refuses an id twice, and forgets the leading slash. */
function fakeScripting(start: Registration[] = []) {
  let scripts = start;
  const log: string[] = [];
  const scripting: Scripting = {
    registered: async () => scripts,
    async register(script) {
      if (scripts.some(({ id }) => id === script.id)) throw new Error(`Duplicate script ID '${script.id}'`);
      scripts = [...scripts, { ...script, js: script.js.map((file) => file.slice(1)) }];
      log.push(`register ${script.matches}`);
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
  };
  return { scripting, log, registered: () => scripts };
}

test('a granted helpdesk gets the launcher, on its helpdesk pages only, and open pages get it at once', async () => {
  const { scripting, log } = fakeScripting();
  await createLauncherSync(scripting, async () => 'https://help.example:8443')(false);
  expect(log).toEqual(['register https://help.example/helpdesk/*', 'inject /launcher.js 3', 'inject /launcher.js 4']);
});

test('a second run changes nothing', async () => {
  const { scripting, log } = fakeScripting();
  const sync = createLauncherSync(scripting, async () => 'https://help.example');
  await sync(true);
  log.length = 0;
  await sync(false);
  expect(log).toEqual([]);
});

test('after an update open pages get the launcher again, though it is registered', async () => {
  const { scripting, log } = fakeScripting();
  const sync = createLauncherSync(scripting, async () => 'https://help.example');
  await sync(false);
  log.length = 0;
  await sync(true);
  expect(log).toEqual(['inject /launcher.js 3', 'inject /launcher.js 4']);
});

test('another helpdesk replaces the registration, a revoked one ends it', async () => {
  let helpdesk: string | null = 'https://old.example';
  const { scripting, registered } = fakeScripting();
  const sync = createLauncherSync(scripting, async () => helpdesk);
  await sync(false);
  helpdesk = 'https://new.example';
  await sync(false);
  expect(registered().map(({ matches }) => matches)).toEqual([['https://new.example/helpdesk/*']]);
  helpdesk = null;
  await sync(false);
  expect(registered()).toEqual([]);
});

test('what an older version registered is cleared away', async () => {
  const { scripting, registered } = fakeScripting([{ id: 'old', js: ['old.js'], matches: ['https://x.example/*'] }]);
  await createLauncherSync(scripting, async () => 'https://help.example')(false);
  expect(registered().map(({ id }) => id)).toEqual(['launcher']);
});

test('runs at the same time do not register twice, and one that fails does not stop the next', async () => {
  const { scripting, registered } = fakeScripting();
  let calls = 0;
  const sync = createLauncherSync(scripting, async () => {
    if (++calls === 2) throw new Error('storage is gone');
    return 'https://help.example';
  });
  const results = await Promise.allSettled([sync(false), sync(false), sync(true)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(registered()).toHaveLength(1);
});

test('no helpdesk, no registration', () => expect(wantedRegistration(null)).toBeNull());
