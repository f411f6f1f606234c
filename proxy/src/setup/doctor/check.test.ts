import { expect, test } from 'vitest';
import { parseConfig } from '#config.ts';
import { type Clinic, clinic, useRules } from '#setup/testing/doctor-kit.ts';
import { checkSettings } from './check.ts';

const said = async ({ environment }: Clinic, withinMs?: number) =>
  (await checkSettings(parseConfig(environment), withinMs)).flatMap(({ check, said }) =>
    said.map(({ level, text }) => `${level} of ${check}: ${text}`),
  );

const fine = {
  helpdesk: 'ok of Helpdesk: It knows the key, and has all teams of the rules.',
  crm: 'ok of CRM: It accepts the webhook.',
};

test('settings that would do are so, and what nobody can be asked is not asked', async () => {
  const world = await clinic();
  expect(await said(world)).toEqual([fine.helpdesk, fine.crm]);
  world.environment.CRM_ENABLED = '0';
  expect(await said(world)).toEqual([fine.helpdesk, 'ok of CRM: None is to be asked.']);
});

test.each<[string, (world: Clinic) => unknown, string[]]>([
  [
    'a key that the helpdesk refuses',
    ({ environment }) => (environment.HELPDESK_API_SECRET = 'another-secret'),
    [expect.stringMatching(/^fault of Helpdesk: .*refuses the service account's key/), fine.crm],
  ],
  [
    'a team that is not there',
    (world) => useRules(world, { teams: { sme: 'Nowhere' } }),
    ['fault of Helpdesk: There is no team "Nowhere"; tickets meant for it stay without a team.', fine.crm],
  ],
  [
    'a webhook that the CRM refuses',
    ({ environment }) => (environment.CRM_WEBHOOK_URL = String(environment.CRM_WEBHOOK_URL).replace(/[^/]+\/?$/, 'x/')),
    [fine.helpdesk, expect.stringMatching(/^fault of CRM: The CRM refuses the webhook/)],
  ],
])('%s is a fault', async (_, plant, expected) => {
  const world = await clinic();
  await plant(world);
  expect(await said(world)).toEqual(expected);
});

test('a secret that stands where a name should is not told', async () => {
  const world = await clinic();
  const secret = String(world.environment.HELPDESK_API_SECRET);
  await useRules(world, { teams: { sme: secret } });
  const [helpdesk] = await said(world);
  expect(helpdesk).toMatch(/^fault of Helpdesk: There is no team/);
  expect(helpdesk).not.toContain(secret);
});

test('who is away is a warning, since the change may be what mends it', async () => {
  const world = await clinic();
  world.helpdesk.fault = () => 503;
  await world.crm.close();
  expect(await said(world)).toEqual([
    expect.stringMatching(/^warning of Helpdesk: /),
    expect.stringMatching(/^warning of CRM: The CRM in CRM_WEBHOOK_URL does not respond/),
  ]);
});

test('who does not answer in time is a warning, and is not waited for', async () => {
  const world = await clinic();
  // Whoever waited would still be waiting when the test is given up.
  world.crm.latencyMs = 2 ** 31 - 1;
  expect(await said(world, 300)).toEqual([fine.helpdesk, expect.stringMatching(/^warning of CRM: /)]);
});
