import { describe, expect, test } from 'vitest';
import type { AlertNews } from '#domain/alerts/alert-causes.ts';
import { fakeClock, uncounted } from '#ports/testing/quiet.ts';
import type { Store } from '#store/store.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { createAlertDesk, openAlerts } from './alert-desk.ts';

const minute = 60_000;

/** Replicas on one store, and what they tell, as `state cause minutes`. */
function replicas(count: number, leases: Store['leases'] = memoryStore().leases) {
  const clock = fakeClock();
  const told: string[] = [];
  const channel = {
    send: ({ cause, kind, state, since, until }: AlertNews) =>
      void told.push([state, cause, kind, until && (until - since) / minute].filter((part) => part !== null).join(' ')),
  };
  const desks = Array.from({ length: count }, () => createAlertDesk({ channel, leases, clock, metrics: uncounted }));
  const tend = () => Promise.all(desks.map((desk) => desk.tend()));
  return { clock, told, desks, tend, desk: desks[0] as (typeof desks)[number] };
}

/** Lets go through what was begun without waiting. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('each cause is told once', () => {
  test('however often it is raised, and its end with how long it lasted', async () => {
    const { clock, told, desk, tend } = replicas(1);
    for (let times = 0; times < 5; times += 1) desk.raise('crm_timeout', 'companies');
    await settle();
    expect(told).toEqual(['raised crm_timeout companies']);
    clock.advance(12 * minute);
    desk.end('crm_timeout', 'companies');
    expect(desk.active()).toEqual([]);
    await tend();
    expect(told).toHaveLength(1);
    clock.advance(2 * minute);
    await tend();
    await tend();
    expect(told).toEqual(['raised crm_timeout companies', 'resolved crm_timeout companies 12']);
  });

  test('what comes back at once is the same alert; what comes back later is another', async () => {
    const { clock, told, desk, tend } = replicas(1);
    for (let times = 0; times < 20; times += 1) {
      desk.raise('crm_unreachable', null);
      clock.advance(10_000);
      desk.end('crm_unreachable', null);
      clock.advance(90_000);
      await tend();
    }
    expect(told).toEqual(['raised crm_unreachable']);
    clock.advance(2 * minute);
    await tend();
    desk.raise('crm_unreachable', null);
    await settle();
    expect(told.map((line) => line.split(' ')[0])).toEqual(['raised', 'resolved', 'raised']);
  });

  test('two parts of the CRM are two causes, and end for themselves or together', async () => {
    const { clock, told, desk, tend } = replicas(1);
    desk.raise('crm_unauthorized', 'companies');
    desk.raise('crm_unauthorized', 'users');
    await settle();
    desk.end('crm_unauthorized', 'users');
    expect(desk.active()).toMatchObject([{ cause: 'crm_unauthorized', kind: 'companies' }]);
    desk.end('crm_unauthorized', null);
    clock.advance(2 * minute);
    await tend();
    expect(told.filter((line) => line.startsWith('resolved'))).toHaveLength(2);
  });

  test('what nobody reports as over is over once it has not been seen for its time', async () => {
    const { clock, told, desk, tend } = replicas(1);
    desk.raise('ticket_write_rejected', null);
    for (let times = 0; times < 3; times += 1) {
      clock.advance(10 * minute);
      await tend();
      desk.raise('ticket_write_rejected', null);
    }
    clock.advance(24 * minute);
    await tend();
    expect(told).toEqual(['raised ticket_write_rejected']);
    clock.advance(minute);
    await tend();
    expect(told).toEqual(['raised ticket_write_rejected', 'resolved ticket_write_rejected 30']);
  });

  test('an end without a beginning is nothing', async () => {
    const { clock, told, desk, tend } = replicas(1);
    desk.end('crm_budget_store', null);
    clock.advance(5 * minute);
    await tend();
    expect(told).toEqual([]);
  });
});

describe('what is open, everybody on the store can read', () => {
  test('also where nobody is told, until it is over or its replica is gone', async () => {
    const [leases, clock] = [memoryStore().leases, fakeClock()];
    const desk = createAlertDesk({ channel: null, leases, clock, metrics: uncounted });
    desk.raise('crm_unauthorized', 'companies');
    desk.raise('store_failing', null);
    await settle();
    expect(await openAlerts(leases)).toEqual([
      { cause: 'crm_unauthorized', kind: 'companies' },
      { cause: 'store_failing', kind: null },
    ]);
    desk.end('crm_unauthorized', null);
    clock.advance(2 * minute);
    await desk.tend();
    expect(await openAlerts(leases)).toEqual([{ cause: 'store_failing', kind: null }]);
    await desk.stop();
    expect(await openAlerts(leases)).toEqual([]);
  });

  test('a key that is no alert of this version is left out', async () => {
    const { leases } = memoryStore();
    await leases.take(['alert of_a_later_version', 'alert', 'sweep'], 'another', minute);
    expect(await openAlerts(leases)).toEqual([]);
  });
});

describe('of several replicas', () => {
  test('one tells what all of them see, and its end', async () => {
    const { clock, told, desks, tend } = replicas(3);
    for (const desk of desks) desk.raise('crm_redirected', null);
    await settle();
    await tend();
    expect(told).toEqual(['raised crm_redirected']);
    for (const desk of desks) desk.end('crm_redirected', null);
    clock.advance(2 * minute);
    await tend();
    await tend();
    expect(told.map((line) => line.split(' ')[0])).toEqual(['raised', 'resolved']);
  });

  test('another one takes over where the first is stopped', async () => {
    const { told, desks, tend } = replicas(2);
    for (const desk of desks) desk.raise('crm_redirected', null);
    await settle();
    await desks[0]?.stop();
    await desks[1]?.tend();
    expect(told).toEqual(['raised crm_redirected', 'raised crm_redirected']);
    await tend();
    expect(told).toHaveLength(2);
  });

  test('a store that fails keeps nothing quiet', async () => {
    const broken: Store['leases'] = {
      take: () => Promise.reject(new Error('SQLITE_IOERR')),
      release: () => Promise.reject(new Error('SQLITE_IOERR')),
      keysHeld: () => Promise.reject(new Error('SQLITE_IOERR')),
      deleteExpired: async () => 0,
    };
    const { clock, told, desk, tend } = replicas(1, broken);
    desk.raise('crm_budget_store', null);
    await settle();
    desk.end('crm_budget_store', null);
    clock.advance(2 * minute);
    await tend();
    expect(told).toEqual(['raised crm_budget_store', 'resolved crm_budget_store 0']);
  });
});
