import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { generations, useSimulatedSite } from '#adapters/helpdesk-frappe/testing/simulated-site.ts';
import { bare, keys, run } from '#cli/testing/run-provision.ts';
import { openStore } from '#store/store.ts';
import type { ProvisionOptions } from './provision-settings.ts';

describe.each(generations)('what claims are worth is asked on Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  let simulator: HelpdeskSimulator;
  let environment: Record<string, string>;
  beforeEach(async () => {
    simulator = (await site.another(bare)).simulator;
    const folder = await mkdtemp(path.join(tmpdir(), 'deskside-claims-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    environment = { DATABASE_URL: `file:${folder}`, RULES_FILE: '' };
  });

  const signUp = (isOpen: boolean) =>
    simulator.put('Website Settings', { name: 'Website Settings', disable_signup: isOpen ? 0 : 1 });
  const provision = (options: Partial<ProvisionOptions>, answers: readonly string[] | null = null) =>
    run(simulator, { browsers: 'none', ...options }, environment, answers);

  async function kept() {
    const store = await openStore(environment.DATABASE_URL ?? '');
    try {
      const { settings } = await store.settings.read();
      const [change] = await store.settings.changes({ limit: 1 });
      return {
        claims: settings.find(({ name }) => name === 'claims')?.value,
        by: change?.by,
        signUpIsOpen: (await store.upkeep.lastSignUp())?.isOpen,
      };
    } finally {
      await store.close();
    }
  }

  test('the specification first, and asked once: what was answered is in force from then on', async () => {
    signUp(true);
    const asked = await provision({ yes: false }, ['what?', 'accept', 'y']);
    expect(asked.code).toBe(0);
    expect(asked.out).toMatch(/ {2}accept .*\n {2}hold .*\nAnybody may sign up at this helpdesk/);
    expect(asked.out).toMatch(/will be created +Rule claims +accept$/m);
    expect(asked.out).toContain('Warning: Anybody may sign up at the helpdesk, and claims are accepted');
    expect(await kept()).toEqual({
      claims: '"accept"',
      by: expect.stringContaining('command line'),
      signUpIsOpen: true,
    });
    const again = await provision({ yes: false }, []);
    expect(again).toMatchObject({ code: 0, writes: [], out: expect.stringContaining('Nothing to do.') });
    expect(again.out).toMatch(/exists +Rule claims +accept$/m);
  });

  test.each([
    ['anybody may sign up', () => signUp(true), /--claims accept or hold .* Anybody may sign up/],
    [
      'that cannot be seen',
      // Rows of the site's own stand in the place of the standard ones.
      async () => {
        const headers = { authorization: `token ${keys.Administrator}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ parent: 'Website Settings', role: 'Website Manager', read: 1 });
        await fetch(`${simulator.url}/api/resource/Custom DocPerm`, { method: 'POST', headers, body });
      },
      /--claims .* this key cannot see/,
    ],
  ])('a script that does not say is stopped where %s, and nothing is written', async (_, arrange, message) => {
    await arrange();
    const { code, out, writes } = await provision({});
    expect({ code, writes }).toEqual({ code: 1, writes: [] });
    expect(out).toMatch(message);
    expect((await provision({ plan: true })).code).toBe(0);
    expect(await kept()).toEqual({});
    expect((await provision({ claims: 'hold' })).code).toBe(0);
    expect((await kept()).claims).toBe('"hold"');
    expect((await provision({ claims: 'accept' })).out).toMatch(/will be changed +Rule claims +hold becomes accept$/m);
    expect((await provision({})).out).toContain('Nothing to do.');
  });

  test('where nobody signs up by themselves it can wait, and the plan says so', async () => {
    const { code, out } = await provision({});
    expect(code).toBe(0);
    expect(out).toContain('Warning: claims is not chosen yet: claims are held.');
    expect(await kept()).toEqual({ signUpIsOpen: false });
    expect((await provision({ yes: false }, ['', 'y'])).out).toContain('not chosen yet');
  });

  test('what a rules file says goes over it, and is said', async () => {
    environment.RULES_FILE = new URL('../testing/hold.json', import.meta.url).pathname;
    const { code, out } = await provision({ claims: 'accept' });
    expect(code).toBe(0);
    expect(out).toMatch(/CONFLICT +Rule claims +is hold in RULES_FILE, which goes over the store/);
    expect(await kept()).toEqual({ signUpIsOpen: false });
  });

  test('nothing is kept without a yes', async () => {
    expect(await provision({ yes: false }, ['accept', 'n'])).toMatchObject({ code: 2, writes: [] });
    expect(await kept()).toEqual({});
  });
});
