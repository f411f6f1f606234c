import { spawn } from 'node:child_process';
import { doctorCommand } from '@deskside/proxy/doctor';
import { demo } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { expect, test } from 'vitest';
import type { DemoWorld } from '../../demo/world.ts';
import { settle, ticketOf, worldWithCommands } from '../pipeline-kit.ts';
import { runDeskside, runHere } from '../processes.ts';

const webhookName = 'Deskside: new ticket';

/** What `doctor --ticket` says of its ticket, and the exit code of the whole. */
async function prove(environment: Record<string, string>) {
  const { code, out, error } = await runHere(doctorCommand(), ['--ticket', '--json'], environment);
  expect(error).toBe('');
  return { code, ...JSON.parse(out).ticket };
}

/** No webhook comes: nobody listens where it goes. */
function breakWebhook({ helpdesk }: DemoWorld): void {
  // Its log says so once it has given up: here after 1.2 s.
  helpdesk.settings.webhookPauseScale = 0.1;
  const webhook = helpdesk.document('Webhook', webhookName);
  helpdesk.put('Webhook', { ...webhook, name: webhookName, request_url: 'http://127.0.0.1:9/' });
}

const proofs = ({ helpdesk }: DemoWorld) =>
  helpdesk.documents('HD Ticket').filter(({ subject }) => String(subject).startsWith('Deskside: proof '));

/** What `doctor --ticket` says of one of which no webhook tells. */
async function proveBySweep({ pipeline }: DemoWorld, environment: Record<string, string>) {
  const running = prove(environment);
  await expect.poll(async () => (await pipeline.sweep()) > 0, { interval: 200 }).toBe(true);
  return running;
}

const noWebhook = expect.stringMatching(/^The webhook did not come\. The helpdesk's last error: \S/);

/** What a proof must leave as it was. */
function stateOf({ helpdesk }: DemoWorld) {
  const doctypes = ['HD Ticket', 'HD Customer', 'HD Customer Data', 'ToDo', 'Contact', 'Deleted Document'];
  return structuredClone(doctypes.map((doctype) => helpdesk.documents(doctype)));
}

test('a ticket comes through with the seconds of each hop, and is deleted, on Helpdesk 1.24', async () => {
  const { world, environment } = await worldWithCommands({ generation: '1.24' });
  const before = stateOf(world);
  const { code, out, error } = await runDeskside(['doctor', '--ticket'], environment);
  expect([code, error]).toEqual([0, '']);
  expect(out).toMatch(
    /^Ticket \S+, made and deleted$.*s: the webhook came$.*s: decided: CS 60p, \S+@.*s: the profile was there\n$/ms,
  );
  await settle(world);
  expect(stateOf(world)).toEqual(before);
});

test('and on 1.28; without a webhook the sweep finds it; a real ticket then has its name and the next agent', async () => {
  const { world, environment } = await worldWithCommands();
  const before = stateOf(world);
  const { ticket, seconds, team, agent, problems } = await prove(environment);
  expect({ problems, team, agent }).toEqual({ problems: [], team: 'CS 60p', agent: expect.stringContaining('@') });
  const at = [seconds.webhook, seconds.decision, seconds.profile];
  for (const one of at) expect(one).toBeGreaterThanOrEqual(0);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  await settle(world);
  expect(stateOf(world)).toEqual(before);

  const webhook = world.helpdesk.document('Webhook', webhookName);
  breakWebhook(world);
  const swept = await proveBySweep(world, environment);
  // The webhook of the ticket that had the name before is not taken for this one's.
  expect(swept).toMatchObject({ code: 1, ticket, seconds: { webhook: null, decision: expect.any(Number) } });
  expect(swept.problems).toEqual([noWebhook]);
  expect(proofs(world)).toEqual([]);

  world.helpdesk.put('Webhook', { ...webhook, name: webhookName });
  const values = { subject: 'x', raised_by: 'someone@else.example' };
  expect(await world.helpdesk.insertTicket(demo.agent.name, values)).toBe(ticket);
  const turns = [agent, swept.agent].map((one) => expect.not.stringMatching(one));
  for (const another of turns)
    await expect.poll(() => ticketOf(world, ticket).assigned, { interval: 100 }).toEqual([another]);
});

test('a webhook that is slower than the sweep has come all the same', async () => {
  const { world, environment } = await worldWithCommands();
  world.helpdesk.settings.webhookDelayMs = 3_000;
  const { code, seconds, problems } = await proveBySweep(world, environment);
  expect({ code, problems, webhook: seconds.webhook }).toEqual({ code: 0, problems: [], webhook: expect.any(Number) });
});

test('while jobs wait at the helpdesk it stays, lest they clear away what belongs to the next ticket of its name', async () => {
  const { world, environment } = await worldWithCommands();
  breakWebhook(world);
  world.helpdesk.settings.queuedJobs = 500;
  const { code, ticket, deleted, problems } = await proveBySweep(world, environment);
  expect({ code, deleted }).toEqual({ code: 1, deleted: false });
  expect(problems).toEqual([
    noWebhook,
    expect.stringMatching(/^500 jobs wait in the helpdesk's queue/),
    expect.stringMatching(`^Ticket ${ticket} is not deleted: .* Delete it when none waits\\.$`),
  ]);
  expect(proofs(world)).toMatchObject([{ name: ticket }]);
});

test('where there is no profile that is said, and the ticket is deleted all the same', async () => {
  const { world, environment } = await worldWithCommands();
  const { code, seconds, problems } = await prove({ ...environment, PUBLIC_URL: 'http://127.0.0.1:9' });
  expect({ code, profile: seconds.profile }).toEqual({ code: 1, profile: null });
  expect(problems).toEqual([expect.stringContaining('no response from 127.0.0.1:9')]);
  expect(proofs(world)).toEqual([]);
});

test('where no ticket can be made that is said below the rest of the report, and the exit code is 1', async () => {
  const { environment } = await worldWithCommands();
  const { code, ticket, problems } = await prove({ ...environment, HELPDESK_API_SECRET: 'no-such-secret' });
  expect({ code, ticket }).toEqual({ code: 1, ticket: null });
  expect(problems).toEqual([expect.stringMatching(/^No ticket could be made\. .*refuses the service account/)]);

  const away = { ...environment, HELPDESK_URL: 'http://127.0.0.1:9' };
  const down = await runHere(doctorCommand(), ['--ticket'], away);
  expect(down).toMatchObject({ code: 1, error: '' });
  expect(down.out).toMatch(/^Address$.*^\d+ faults?.*^No ticket\n {2}✗ No ticket could be made/ms);
  expect(down.out).toContain('The connection could not be opened');
});

test('Ctrl-C deletes the ticket', async () => {
  const { world, environment } = await worldWithCommands();
  breakWebhook(world);
  const child = spawn(process.execPath, ['--', proxyCli, 'doctor', '--ticket'], {
    cwd: '/',
    env: childEnvironment(environment),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await expect.poll(() => proofs(world)).not.toEqual([]);
  child.kill('SIGINT');
  expect(await ended).toBe(1);
  expect(out).toContain('✗ It was interrupted.');
  expect(proofs(world)).toEqual([]);
});
