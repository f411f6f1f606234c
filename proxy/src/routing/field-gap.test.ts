import { expect, test } from 'vitest';
import { medium } from '#crm/testing/sample-companies.ts';
import { type PipelineWorld, pipelineWorld, standing, withOrgId } from '#testing/pipeline-kit.ts';
import { mendFieldGap } from './field-gap.ts';
import { cs, scale } from './testing/pipeline-rules.ts';

const reason = 'custom_platform_routing_reason';

/** As the sweep does it, once the service has noticed which fields there are. */
async function sweep({ desk, ctx }: PipelineWorld) {
  await desk.helpdesk.site.fields.renew(ctx.signal);
  return mendFieldGap(ctx);
}

/** A helpdesk that has lost a field, and a ticket that was routed meanwhile. */
async function setUp(...fields: string[]) {
  const w = pipelineWorld();
  await w.route('before', withOrgId(medium));
  w.desk.removeFields('HD Ticket', ...fields);
  w.clock.advance(600_000);
  await sweep(w);
  w.clock.advance(60_000);
  await w.route('1', withOrgId(medium));
  expect(standing(w, '1')).toMatchObject({ group: scale, reason: null });
  return w;
}

test('what was left out while a field was missing is written once it is there again', async () => {
  const w = await setUp(reason, 'custom_shopplan');
  w.clock.advance(3_600_000);
  expect(await sweep(w)).toBe(0);
  w.desk.addFields('HD Ticket', reason);
  w.desk.writes.length = 0;
  expect(await sweep(w)).toBe(1);
  expect(standing(w, '1').reason).toContain('Auto-routed: Customer Segment=Medium');
  expect(w.desk.writes).toEqual(['route 1 reason']);
  w.desk.addFields('HD Ticket', 'custom_shopplan');
  expect(await sweep(w)).toBe(1);
  expect(w.desk.routingOf('1').shopplan).toBe('Medium Scale');
  expect(await sweep(w)).toBe(0);
});

test('two fields that went one after the other are written from when the first went', async () => {
  const w = await setUp(reason);
  w.clock.advance(3_600_000);
  w.desk.removeFields('HD Ticket', 'custom_shopplan');
  await sweep(w);
  w.desk.addFields('HD Ticket', reason, 'custom_shopplan');
  expect(await sweep(w)).toBe(1);
  expect(standing(w, '1').reason).not.toBeNull();
});

test('what somebody wrote there by then stays, and so does a ticket whose routing a person has overruled', async () => {
  const w = await setUp(reason);
  await w.route('2', withOrgId(medium));
  w.desk.addFields('HD Ticket', reason);
  w.desk.put('HD Ticket', '1', { [reason]: 'mine' });
  w.desk.personSetsGroup('2', cs);
  expect(await sweep(w)).toBe(2);
  expect([standing(w, '1').reason, standing(w, '2').reason]).toEqual(['mine', null]);
});

test('a ticket whose group was kept is mended, and one that was made under the name of another is not', async () => {
  const w = await setUp(reason);
  const inTeam = withOrgId(medium, { owner: 'an@desk.example', agent_group: scale });
  for (const name of ['kept', 'other']) await w.route(name, inTeam);
  w.desk.remove('HD Ticket', 'other');
  w.clock.advance(1_000);
  w.desk.insert('other', inTeam);
  w.desk.addFields('HD Ticket', reason);
  await sweep(w);
  expect([standing(w, 'kept').reason, standing(w, 'other').reason]).toEqual([`Manual routing kept: ${scale}.`, null]);
});

test('only tickets of the last day are mended', async () => {
  const w = await setUp(reason);
  w.clock.advance(25 * 3_600_000);
  w.desk.addFields('HD Ticket', reason);
  expect(await sweep(w)).toBe(0);
  expect(standing(w, '1').reason).toBeNull();
});

test('a ticket that was routed a minute before the missing field was noticed is mended, too', async () => {
  const w = pipelineWorld();
  w.desk.removeFields('HD Ticket', reason);
  await w.route('1', withOrgId(medium));
  w.clock.advance(60_000);
  await sweep(w);
  w.desk.addFields('HD Ticket', reason);
  expect(await sweep(w)).toBe(1);
  expect(standing(w, '1').reason).toContain('Auto-routed: Customer Segment=Medium');
});

test('a helpdesk that fails in between leaves the rest to the next sweep', async () => {
  const w = await setUp(reason);
  w.desk.addFields('HD Ticket', reason);
  w.desk.failNext('tickets.write');
  await expect(sweep(w)).rejects.toThrow('down');
  expect(await sweep(w)).toBe(1);
  expect(standing(w, '1').reason).not.toBeNull();
});
