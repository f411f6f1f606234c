import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { beforeEach, describe, expect, test } from 'vitest';
import { generations, useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import type { ProvisionOptions } from './provision-run.ts';
import { bare, keys, run, settingsFolder } from './testing/run-provision.ts';

describe.each(generations)('what claims are worth, by who may sign up on Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  let simulator: HelpdeskSimulator;
  let folder: string;
  beforeEach(async () => {
    simulator = (await site.another(bare)).simulator;
    folder = settingsFolder();
  });

  const signUp = (isOpen: boolean) =>
    simulator.put('Website Settings', { name: 'Website Settings', disable_signup: isOpen ? 0 : 1 });
  const provision = (options: Partial<ProvisionOptions>, answers: readonly string[] | null = null) =>
    run(simulator, { ...options }, {}, answers, folder);

  function kept() {
    const rules = path.join(folder, 'rules.json');
    return existsSync(rules) ? JSON.parse(readFileSync(rules, 'utf8')) : null;
  }

  const hidden = async () => {
    // Rows of the site's own stand in the place of the standard ones.
    const headers = { authorization: `token ${keys.Administrator}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ parent: 'Website Settings', role: 'Website Manager', read: 1 });
    await fetch(`${simulator.url}/api/resource/Custom DocPerm`, { method: 'POST', headers, body });
  };

  test.each<[string, () => unknown, 'accept' | 'hold', RegExp]>([
    [
      'nobody may sign up',
      () => signUp(false),
      'accept',
      /Nobody may sign up .* So claims is accept: .* links the ticket, as specified, .* --claims hold changes that/,
    ],
    [
      'anybody may',
      () => signUp(true),
      'hold',
      /Anybody may sign up .* So claims is hold: .* links no ticket, although the specification asks for that: .* Switch sign-up off .* --claims accept changes that/,
    ],
    ['that cannot be seen', hidden, 'hold', /cannot be seen\. So claims is hold: .* --claims accept changes that/],
  ])(
    'nobody is asked: where %s, one line says what was chosen, what it means and how to change it',
    async (_, arrange, mode, line) => {
      await arrange();
      expect((await provision({ plan: true })).out).toMatch(line);
      expect(kept()).toBeNull();
      const { code, out } = await provision({});
      expect(code).toBe(0);
      expect(out).toMatch(line);
      expect(out).toMatch(new RegExp(`will be created +Rule claims +${mode}$`, 'm'));
      expect(kept()).toEqual({ claims: mode });
      const again = await provision({});
      expect(again).toMatchObject({ code: 0, writes: [], out: expect.stringContaining('Nothing to do.') });
      expect(again.out).toMatch(new RegExp(`exists +Rule claims +${mode}$`, 'm'));
      expect(again.out).not.toContain('So claims is');
    },
  );

  test('what somebody says counts, and stays when sign-up changes; accepted of anybody it is warned of', async () => {
    signUp(false);
    const said = await provision({ claims: 'hold' });
    expect(said.out).toMatch(/will be created +Rule claims +hold$/m);
    expect(said.out).not.toContain('Warning: Nobody');
    expect((await provision({})).out).toContain('Nothing to do.');
    expect((await provision({ claims: 'accept' })).out).toMatch(/will be changed +Rule claims +hold becomes accept$/m);
    signUp(true);
    const open = await provision({});
    expect(open.out).toMatch(/exists +Rule claims +accept$/m);
    expect(open.out).toContain('Warning: Anybody may sign up at the helpdesk, and claims are accepted');
  });

  test('nothing is kept without a yes', async () => {
    expect(await provision({ yes: false }, ['n'])).toMatchObject({ code: 2, writes: [] });
    expect(kept()).toBeNull();
  });
});
