import { expect, test } from 'vitest';
import { silent } from '#ports/testing/quiet.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { createFollowSettings } from './follow-settings.ts';
import { openStored } from './open-stored.ts';

function setUp() {
  const { settings: store } = memoryStore();
  /** What came into force after the first. */
  const applied: Readonly<Record<string, string>>[] = [];
  const logged: object[] = [];
  let reads = 0;
  const follow = createFollowSettings<Readonly<Record<string, string>>>({
    store: {
      ...store,
      read: () => {
        reads += 1;
        return store.read();
      },
    },
    open: (settings) => openStored(settings, null),
    over: (stored) => {
      if (stored.claims === '"broken"') throw new RangeError('broken');
      return stored;
    },
    first: { current: {}, seen: 0 },
    logger: { ...silent, error: (fields) => void logged.push(fields), info: (fields) => void logged.push(fields) },
  });
  const made = follow.follow((config) => {
    if (config.claims === '"unusable"') throw new RangeError('unusable');
    if (config !== follow.inForce.now) applied.push(config);
    return config;
  });
  const set = async (value: string, isSealed = false) => {
    const edit = { name: 'claims', slot: 'current', action: 'set', old: null, new: value, default: null } as const;
    await store.change([{ ...edit, row: { value, isSealed } }], { since: await store.version(), at: 0, author: 'x' });
  };
  return { follow, made, applied, logged, set, reads: () => reads };
}

test('what has changed is put in force once, and nothing is read while nothing changes', async () => {
  const w = setUp();
  await w.follow.refresh();
  await w.set('"accept"');
  await Promise.all([w.follow.refresh(), w.follow.refresh()]);
  await w.follow.refresh();
  expect(w.applied).toEqual([{ claims: '"accept"' }]);
  expect(w.reads()).toBe(1);
});

test.each([
  ['cannot be used', '"broken"', false],
  ['nothing can be made for', '"unusable"', false],
  ['does not open here', 'v1.sealed', true],
])('what %s is logged once, and does not keep the next change out', async (_, value, isSealed) => {
  const w = setUp();
  await w.set('"accept"');
  await w.follow.refresh();
  await w.set(value, isSealed);
  await w.follow.refresh();
  await w.follow.refresh();
  expect(w.applied).toEqual([{ claims: '"accept"' }]);
  expect([w.follow.inForce.now, w.made.now]).toEqual([{ claims: '"accept"' }, { claims: '"accept"' }]);
  expect(w.logged).toMatchObject([{ settings_version: 1 }, { fault: 'settings_unusable', settings_version: 2 }]);
  await w.set('"propose"');
  await w.follow.refresh();
  expect(w.applied.at(-1)).toEqual({ claims: '"propose"' });
  expect(w.logged.at(-1)).toMatchObject({ fault_ended: 'settings_unusable', settings_version: 3 });
});
