import { expect, test } from 'vitest';
import { cs } from '#routing/testing/pipeline-rules.ts';
import * as notes from '#store/notes.ts';
import { loopsOn } from './serve.ts';
import { pipelineWorld, standing, withOrgId } from './testing/pipeline-kit.ts';

const hour = 3_600_000;

/** A service that swept just now, and a ticket of which no webhook has told for two hours. */
async function setUp() {
  const w = pipelineWorld();
  const stamp = (at: number) => w.desk.helpdesk.stampOf(at, w.ctx.signal);
  await notes.noteInstalled(w.db, await stamp(w.clock()), w.clock());
  w.desk.insert('1', withOrgId(null));
  w.clock.advance(2 * hour);
  await notes.noteSwept(w.db, await stamp(w.clock()), w.clock());
  const stop = new AbortController();
  const settings = { routesTickets: true };
  const loops = loopsOn(() => ({ ...w.ctx, stopped: stop.signal, ...settings }), stop);
  return { ...w, loops, settings };
}

test('once started the first sweep looks hours back, and what it finds is routed at once', async () => {
  const w = await setUp();
  w.loops.start();
  await expect.poll(() => standing(w, '1').group).toBe(cs);
  await w.loops.stop();
});

test('a sweep that is asked for is an ordinary one', async () => {
  const { loops } = await setUp();
  expect(await loops.sweep()).toBe(0);
  expect(await loops.sweep(true)).toBe(1);
});

test('the schedule sweeps widely once an hour, and again where that has failed', async () => {
  const { desk, clock, loops } = await setUp();
  const { ticketLists } = desk.helpdesk;
  const answered = ticketLists.modifiedSince.bind(ticketLists);
  const wide: boolean[] = [];
  let isDown = true;
  ticketLists.modifiedSince = async (since, page, signal) => {
    wide.push(since < (await desk.helpdesk.stampOf(clock() - 2 * hour, signal)));
    if (isDown) throw new Error('down');
    return answered(since, page, signal);
  };
  await expect(loops.sweepRegularly()).rejects.toThrow('down');
  isDown = false;
  await loops.sweepRegularly();
  await loops.sweepRegularly();
  clock.advance(hour);
  await loops.sweepRegularly();
  expect(wide).toEqual([true, true, false, true]);
});

test('what is switched off is left, and done once it is switched on and something comes', async () => {
  const w = await setUp();
  w.settings.routesTickets = false;
  const asked = w.desk.calls.length;
  w.loops.start();
  await w.loops.cleanUp();
  expect(w.desk.calls.slice(asked)).not.toContain('ticketLists.modifiedSince');
  w.settings.routesTickets = true;
  await w.loops.sweep(true);
  await expect.poll(() => standing(w, '1').group).toBe(cs);
  await w.loops.stop();
});

test('stopping ends a sweep for which the helpdesk never answers', async () => {
  const w = await setUp();
  const { ticketLists } = w.desk.helpdesk;
  ticketLists.modifiedSince = (_since, _page, signal) =>
    new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
  const swept = expect(w.loops.sweep()).rejects.toThrow();
  await w.loops.stop();
  await swept;
});
