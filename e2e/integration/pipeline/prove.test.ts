import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { demo } from '@deskside/simulators/seed/index';
import { expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { startWorld, type World, webhookSecret } from '../../demo/world.ts';
import { documentsOf } from '../enrichment-kit.ts';
import { openTodos, ticketOf } from '../pipeline-kit.ts';
import { type Ran, runDeskside } from '../run-deskside.ts';

/** A world that tells the proxy of new tickets, and `prove` beside the proxy that is in it. */
async function provable(options: Parameters<typeof startWorld>[0] extends infer O ? Partial<O> : never = {}) {
  const data = await mkdtemp(path.join(tmpdir(), 'deskside-prove-'));
  const world: World = await startWorld({ data, pipeline: true, ...options });
  onTestFinished(async () => {
    await world.close();
    await rm(data, { recursive: true, force: true });
  });
  const environment = {
    ...proxyEnvironment(world, `file:${data}`),
    ...{ PUBLIC_URL: world.proxyUrl, HELPDESK_WEBHOOK_SECRET: webhookSecret },
  };
  const prove = (args: readonly string[], key?: string) =>
    runDeskside(['prove', ...args], { ...environment, ...(key && { DESKSIDE_ADMIN_KEY: key }) });
  return { world, prove };
}

const adminKey = `${demo.administrator.apiKey}:${demo.administrator.apiSecret}`;
const proofOf = ({ out }: Ran) => JSON.parse(out);

/** Copies of deleted tickets. */
async function copies({ helpdesk }: World): Promise<unknown[]> {
  const filters = encodeURIComponent('[["deleted_doctype","=","HD Ticket"]]');
  const response = await fetch(`${helpdesk.url}/api/resource/Deleted Document?filters=${filters}`, {
    headers: { authorization: `token ${adminKey}` },
  });
  return ((await response.json()) as { data: unknown[] }).data;
}

/** What a proof must leave as it was. */
async function stateOf(world: World) {
  const doctypes = ['HD Ticket', 'HD Customer', 'HD Customer Data', 'ToDo', 'Contact'];
  return Promise.all(doctypes.map((doctype) => documentsOf(world, doctype, [])));
}

test.each(['1.24', '1.28'] as const)(
  'a proof goes through every hop and leaves nothing, on Helpdesk %s',
  async (generation) => {
    const { world, prove } = await provable({ generation });
    const before = await stateOf(world);
    const ran = await prove(['--json', '--yes', '--org-id', '200000376001'], adminKey);
    expect(ran).toMatchObject({ code: 0, error: '' });
    const proof = proofOf(ran);
    expect(proof).toMatchObject({ problems: [], isCopyKept: false, met: { cause: 'webhook', crm: 'matched' } });
    expect(proof.hops.map(({ hop }: { hop: string }) => hop)).toEqual([
      'inserted',
      'heard',
      'taken',
      'crm',
      'decided',
      'profile',
    ]);
    for (const { ms } of proof.hops) expect(ms).toBeGreaterThanOrEqual(0);
    expect(await stateOf(world)).toEqual(before);
    expect(await copies(world)).toEqual([]);

    const said = await prove(['--yes'], adminKey);
    expect(said).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ by the webhook$.*next would be .*It works: /ms),
    });
  },
);

test('it takes no turn: who it names gets the next ticket', async () => {
  const { world, prove } = await provable();
  const first = proofOf(await prove(['--json', '--yes']));
  expect(proofOf(await prove(['--json', '--yes'])).met.next).toBe(first.met.next);
  expect(await openTodos(world, first.ticket)).toEqual([]);
  const name = await world.helpdesk.insertTicket(demo.agent.name, {
    subject: 'Where is my order?',
    raised_by: 'someone@else.example',
  });
  await expect.poll(() => ticketOf(world, name).assigned).not.toEqual([]);
});

test('without an administrator’s key the helpdesk keeps a copy, and that is said', async () => {
  const { world, prove } = await provable();
  const ran = await prove([]);
  expect(ran.code).toBe(0);
  expect(ran.out).toContain("a System Manager's key would show");
  expect(ran.out).toContain('The ticket is deleted; the helpdesk keeps a copy under "Deleted Document".');
  expect(await copies(world)).toHaveLength(1);
});

test('a ticket that looks like a proof is none, even while there is one: it is routed', async () => {
  const { world, prove } = await provable();
  const alike = () =>
    world.helpdesk.insertTicket(demo.service.name, {
      subject: `Deskside: proof ${new Date().toISOString()}`,
      raised_by: demo.service.name,
    });
  const running = prove(['--json', '--yes']);
  const names: string[] = [];
  const isOver = running.then(() => true);
  while (!(await Promise.race([isOver, wait(100)]))) names.push(await alike());
  const { ticket, problems } = proofOf(await running);
  expect({ problems, names }).toEqual({ problems: [], names: expect.not.arrayContaining([ticket]) });
  for (const name of names) await expect.poll(() => ticketOf(world, name).group).not.toBeNull();
});

test('where the webhook does not come the sweep finds it, and the helpdesk’s own error is told; a second proof waits', async () => {
  const { world, prove } = await provable();
  const webhook = world.helpdesk.document('Webhook', 'Deskside: new ticket');
  // Its log says so once it has given up: here after 1.2 s, long after the sweep.
  world.helpdesk.settings.webhookPauseScale = 0.1;
  world.helpdesk.put('Webhook', { ...webhook, name: 'Deskside: new ticket', request_url: 'http://127.0.0.1:9/' });
  const running = prove(['--json', '--yes'], adminKey);
  await expect.poll(() => documentsOf(world, 'HD Ticket', [['subject', 'like', 'Deskside: proof %']])).not.toEqual([]);
  expect(await prove(['--json', '--yes'])).toMatchObject({
    ...{ code: 1, out: '' },
    error: 'Another proof is under way; it takes two minutes at most.\n',
  });
  const found = async () => (await world.pipeline.sweep()) > 0;
  await expect.poll(found, { interval: 200 }).toBe(true);
  const ran = await running;
  expect(ran.code).toBe(1);
  const proof = proofOf(ran);
  expect(proof.met.cause).toBe('sweep');
  expect(proof.problems[0]).toMatch(
    /^The webhook did not come; the sweep found the ticket\. The helpdesk's last error: \S/,
  );
});

test('what else a new ticket sets off is named before, and asked', async () => {
  const { world, prove } = await provable();
  world.helpdesk.put('Webhook', {
    ...{ name: 'ERP: tickets', webhook_doctype: 'HD Ticket', webhook_docevent: 'after_insert', enabled: 1 },
    request_url: 'http://127.0.0.1:9/erp',
  });
  const ran = await prove([], adminKey);
  expect(ran).toMatchObject({ code: 2, error: 'Nothing was done: run this again with --yes.\n' });
  expect(ran.out).toContain('The ticket also sets off: Webhook "ERP: tickets"');
});
