import { expect, test } from 'vitest';
import { HelpdeskError } from '#helpdesk/errors.ts';
import * as notes from '#store/notes.ts';
import { insertedTicket, waitingIn } from '#store/testing/inserted.ts';
import * as tickets from '#store/tickets.ts';
import { pipelineWorld, standing, withOrgId } from '#testing/pipeline-kit.ts';
import { receiveTicketEvent } from './inbox.ts';
import { cs } from './testing/pipeline-rules.ts';

/** The webhook of a ticket comes; of one that the helpdesk does not have it tells all the same. */
const accept = (w: ReturnType<typeof pipelineWorld>, ticket: string) =>
  tickets.accept(w.db, ticket, w.desk.insertOf(ticket) ?? insertedTicket(), w.clock());

test.each([true, false])(
  'a webhook has its ticket worked on at once, and told again changes nothing (with insert: %s)',
  async (isTold) => {
    const w = pipelineWorld({ ticket: withOrgId(null) });
    const receive = () => receiveTicketEvent(w.ctx, w.desk.keyOf('1'), isTold ? (w.desk.insertOf('1') ?? null) : null);
    expect(await receive()).toBe('accepted');
    expect(w.rows.work.get('1')?.dueAt).toBe(w.clock());
    expect((await tickets.insertOf(w.db, w.desk.keyOf('1'))) !== null).toBe(isTold);
    await w.processInbox();
    expect(await w.decided('1')).toMatchObject({ cause: 'webhook', found_by: 'webhook' });
    expect(await receive()).toBe('known');
    expect(await waitingIn(w.db)).toBe(0);
  },
);

test('a helpdesk that is down loses nothing: the pause grows to a minute, and ends with success', async () => {
  const w = pipelineWorld({ ticket: withOrgId(null) });
  await accept(w, '1');
  const pauses: number[] = [];
  for (let tries = 1; tries <= 9; tries += 1) {
    w.desk.failNext('tickets.read');
    await w.processInbox();
    const due = w.rows.work.get('1')?.dueAt ?? 0;
    pauses.push(due - w.clock());
    w.clock.advance(due - w.clock());
  }
  expect(w.complaints[0]).toBe('A ticket failed and will be tried again');
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
  await w.processInbox();
  expect(standing(w, '1').group).toBe(cs);
  expect(await waitingIn(w.db)).toBe(0);
});

test('once stopped nothing new is begun', async () => {
  const w = pipelineWorld({ ticket: withOrgId(null) });
  await accept(w, '1');
  w.stop();
  await w.processInbox();
  expect(standing(w, '1').group).toBeNull();
  await w.process().processInbox();
  expect(standing(w, '1').group).toBe(cs);
});

test('a ticket that the helpdesk does not let us write waits longer, and an operator is told', async () => {
  const w = pipelineWorld({ ticket: withOrgId(null) });
  await accept(w, '1');
  w.desk.failNext('tickets.write', new HelpdeskError('rejected', 'a field is mandatory'));
  await w.processInbox();
  const fault = {
    fault: 'ticket_write_rejected',
    ticket: '1',
    error: expect.stringContaining('rejected'),
    attempts: 0,
  };
  expect(w.faultFields).toMatchObject([fault]);
  expect(w.complaints).toEqual(['The helpdesk refuses a write to a ticket']);
  expect(await notes.refusals(w.db)).toMatchObject([{ name: '1', refusal: 'HD Ticket refuses the write', fields: [] }]);
  expect(w.rows.work.get('1')?.dueAt).toBe(w.clock() + 600_000);
  w.clock.advance(600_000);
  await w.processInbox();
  expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
});

test('what is under way when the service stops is due at once for the next one', async () => {
  const w = pipelineWorld({ ticket: withOrgId(null) });
  await accept(w, '1');
  w.desk.before('assign', () => w.stop());
  await w.processInbox();
  expect(w.rows.work.get('1')?.dueAt).toBe(w.clock());
  await w.process().processInbox();
  expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
});

test('a ticket that takes long keeps nobody waiting who comes in meanwhile', async () => {
  const w = pipelineWorld();
  const { promise, resolve } = Promise.withResolvers<void>();
  w.crm.whileAsking = () => promise;
  w.desk.insert('slow', withOrgId('1000069001'));
  await accept(w, 'slow');
  const working = w.processInbox();
  await expect.poll(() => w.crm.asked.length).toBeGreaterThan(0);
  w.desk.insert('quick', withOrgId(null));
  await accept(w, 'quick');
  await expect.poll(() => standing(w, 'quick').group).toBe(cs);
  expect(standing(w, 'slow').group).toBeNull();
  resolve();
  await working;
  expect(standing(w, 'slow').group).not.toBeNull();
});

test('no more than four tickets are worked on at once', async () => {
  const w = pipelineWorld();
  for (let n = 1; n <= 9; n += 1) {
    w.desk.insert(`t${n}`, withOrgId(null));
    await accept(w, `t${n}`);
  }
  const { tickets } = w.desk.helpdesk;
  const { read } = tickets;
  let [reading, most] = [0, 0];
  tickets.read = async (...asked) => {
    reading += 1;
    most = Math.max(most, reading);
    await new Promise(setImmediate);
    reading -= 1;
    return read(...asked);
  };
  await w.processInbox();
  expect(most).toBe(4);
});

test('a new ticket does not queue behind an announced backlog, which goes on from its oldest, and turns stay exact', async () => {
  const w = pipelineWorld();
  const backlog = Array.from({ length: 40 }, (_, n) => `old${n}`);
  for (const ticket of [...backlog, 'new']) {
    w.clock.advance(1_000);
    w.desk.insert(ticket, withOrgId(null));
    if (ticket !== 'new') await accept(w, ticket);
  }
  for (let n = 1; n < 12; n += 1) w.desk.before('assign', () => {});
  w.desk.before('assign', () => accept(w, 'new'));
  await w.processInbox();
  expect(w.counted.indexOf('new')).toBeGreaterThan(10);
  expect(w.counted.indexOf('new')).toBeLessThan(20);
  const oldest = backlog.slice(0, 8).map((ticket) => w.counted.indexOf(ticket));
  expect(oldest).toEqual(oldest.toSorted((a, b) => a - b));
  expect(Math.max(...oldest)).toBeLessThan(40);
  const agents = [...backlog, 'new'].map((ticket) => standing(w, ticket).assigned.join());
  const shares = Object.values(Object.groupBy(agents, (agent) => agent)).map((of) => of?.length ?? 0);
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
});

test('tickets that do not exist are done, and all others are routed', async () => {
  const w = pipelineWorld();
  for (let n = 1; n <= 9; n += 1) {
    if (n % 3 === 0) w.desk.insert(`t${n}`, withOrgId(null));
    await accept(w, `t${n}`);
  }
  await w.processInbox();
  expect(await waitingIn(w.db)).toBe(0);
  expect(w.desk.all('HD Ticket').filter(({ agent_group }) => agent_group === cs)).toHaveLength(3);
});

test('a helpdesk that limits how often it is asked is left alone for as long as it says', async () => {
  const w = pipelineWorld({ ticket: withOrgId(null) });
  await accept(w, '1');
  w.desk.failNext('tickets.read', new HelpdeskError('rate_limited', 'often', { retryAfterSeconds: 90 }));
  await w.processInbox();
  w.clock.advance(80_000);
  await w.processInbox();
  expect(standing(w, '1').group).toBeNull();
  w.clock.advance(10_000);
  await w.processInbox();
  expect(standing(w, '1').group).toBe(cs);
});
