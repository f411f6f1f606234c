import { spawn } from 'node:child_process';
import { demo } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { expect, test } from 'vitest';
import type { World, WorldOptions } from '../../demo/world.ts';
import { documentsOf } from '../kit.ts';
import { openTodos, settle, ticketOf, worldWithCommands } from '../pipeline-kit.ts';
import { runDeskside } from '../processes.ts';

const webhookName = 'Deskside: new ticket';

/** A world that tells the proxy of new tickets, and `doctor --ticket` beside the proxy that is in it. */
async function provable(options: Partial<WorldOptions> = {}, changes: Record<string, string> = {}) {
  const { world, environment: own } = await worldWithCommands(options);
  const environment = { ...own, ...changes };
  /** Its part of the report, and the exit code of the whole, to which other findings of this world add nothing. */
  const prove = async () => {
    const { code, out, error } = await runDeskside(['doctor', '--ticket', '--json'], environment);
    expect(error).toBe('');
    const { healthy, ticket } = JSON.parse(out);
    return { code, healthy, ...ticket };
  };
  return { world, environment, prove };
}

/** No webhook comes: nobody listens where it goes. */
function breakWebhook({ helpdesk }: World): void {
  // Its log says so once it has given up: here after 1.2 s.
  helpdesk.settings.webhookPauseScale = 0.1;
  const webhook = helpdesk.document('Webhook', webhookName);
  helpdesk.put('Webhook', { ...webhook, name: webhookName, request_url: 'http://127.0.0.1:9/' });
}

const proofs = (world: World) => documentsOf(world, 'HD Ticket', [['subject', 'like', 'Deskside: proof %']]);

/** What a proof must leave as it was. */
async function stateOf(world: World) {
  const doctypes = ['HD Ticket', 'HD Customer', 'HD Customer Data', 'ToDo', 'Contact', 'Deleted Document'];
  return Promise.all(doctypes.map((doctype) => documentsOf(world, doctype, [])));
}

test.each(['1.24', '1.28'] as const)(
  'a ticket comes through with the seconds of each hop, and is deleted, on Helpdesk %s',
  async (generation) => {
    const { world, environment, prove } = await provable({ generation });
    const before = await stateOf(world);
    const { ticket, seconds, team, agent, problems } = await prove();
    expect({ problems, team, agent }).toEqual({ problems: [], team: 'CS 60p', agent: expect.stringContaining('@') });
    const at = [seconds.webhook, seconds.decision, seconds.profile];
    for (const one of at) expect(one).toBeGreaterThanOrEqual(0);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(await openTodos(world, ticket)).toEqual([]);
    await settle(world);
    expect(await stateOf(world)).toEqual(before);

    const { out } = await runDeskside(['doctor', '--ticket'], environment);
    expect(out).toMatch(
      /^Ticket \S+, made and deleted$.*s: the webhook came$.*s: decided: CS 60p, \S+@.*s: the profile/ms,
    );
  },
);

test('it is routed like any other: the next ticket goes to the next agent, though it has the name that the proof had', async () => {
  const { world, prove } = await provable();
  const { agent, ticket } = await prove();
  const values = { subject: 'x', raised_by: 'someone@else.example' };
  expect(await world.helpdesk.insertTicket(demo.agent.name, values)).toBe(ticket);
  await expect.poll(() => ticketOf(world, ticket).assigned).toEqual([expect.not.stringMatching(agent)]);
});

test('where the webhook does not come the sweep finds it, the helpdesk’s own error is told, and the exit code is 1', async () => {
  const { world, prove } = await provable();
  const earlier = await prove();
  breakWebhook(world);
  const running = prove();
  const found = async () => (await world.pipeline.sweep()) > 0;
  await expect.poll(found, { interval: 200 }).toBe(true);
  const { code, ticket, seconds, problems } = await running;
  // The webhook of the ticket that had the name before is not taken for this one's.
  expect(ticket).toBe(earlier.ticket);
  expect({ code, webhook: seconds.webhook }).toEqual({ code: 1, webhook: null });
  expect(seconds.decision).toBeGreaterThan(0);
  expect(problems).toEqual([expect.stringMatching(/^The webhook did not come\. The helpdesk's last error: \S/)]);
  expect(await proofs(world)).toEqual([]);
});

test('where there is no profile that is said, and the ticket is deleted all the same', async () => {
  const { world, prove } = await provable({}, { PUBLIC_URL: 'http://127.0.0.1:9' });
  const { code, seconds, problems } = await prove();
  expect({ code, profile: seconds.profile }).toEqual({ code: 1, profile: null });
  expect(problems).toEqual([expect.stringContaining('no response from 127.0.0.1:9')]);
  expect(await proofs(world)).toEqual([]);
});

test.each([
  ['refuses the service account’s key', { HELPDESK_API_SECRET: 'no-such-secret' }, 'refuses the service account'],
  ['is down', { HELPDESK_URL: 'http://127.0.0.1:9' }, 'The connection could not be opened'],
])('where the helpdesk %s that is said below the rest of the report', async (_, changes, why) => {
  const { environment, prove } = await provable({}, changes);
  const { code, ticket, problems } = await prove();
  expect({ code, ticket }).toEqual({ code: 1, ticket: null });
  expect(problems).toEqual([expect.stringMatching(`^No ticket could be made\\. .*${why}`)]);
  const { out, error } = await runDeskside(['doctor', '--ticket'], environment);
  expect(out).toMatch(/^Address$.*^\d+ faults?.*^No ticket\n {2}✗ No ticket could be made/ms);
  expect(error).toBe('');
});

test('Ctrl-C deletes the ticket', async () => {
  const { world, environment } = await provable();
  breakWebhook(world);
  const child = spawn(process.execPath, ['--', proxyCli, 'doctor', '--ticket'], {
    cwd: '/',
    env: childEnvironment(environment),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await expect.poll(() => proofs(world), { timeout: 30_000 }).not.toEqual([]);
  child.kill('SIGINT');
  expect(await ended).toBe(1);
  expect(out).toContain('✗ It was interrupted.');
  expect(await proofs(world)).toEqual([]);
});
