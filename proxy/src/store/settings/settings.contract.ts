import { expect, it } from 'vitest';
import type { SettingEdit } from '#store/settings/settings.ts';
import type { Store } from '#store/store.ts';

const at = 1_798_000_000_000;
const edit = (name: SettingEdit['name'], value: string | null, change: Partial<SettingEdit> = {}): SettingEdit => ({
  name,
  slot: 'current',
  action: value === null ? 'unset' : 'set',
  old: null,
  new: value,
  default: null,
  row: value === null ? null : { value, isSealed: false },
  ...change,
});

/** Tests of the contract of the settings, for any store. `storeOf(1)`: another process on the same one. */
export function describeSettings(storeOf: (which: 0 | 1) => Store['settings']): void {
  it('settings: a change is seen by every process, with its version, its author and its time', async () => {
    const [store, other] = [storeOf(0), storeOf(1)];
    const since = await store.version();
    const author = `Chị Lan ' ; drop table setting --`;
    const version = await store.change([edit('CRM_TIMEOUT_SECONDS', '20'), edit('claims', '"accept"')], {
      since,
      at,
      author,
    });
    expect(version).toBe(since + 2);
    expect(await other.version()).toBe(version);
    const read = await other.read();
    expect(read.version).toBe(version);
    const stored = { slot: 'current', isSealed: false, changedAt: at, changedBy: author };
    expect(read.settings).toEqual(
      expect.arrayContaining([
        { name: 'CRM_TIMEOUT_SECONDS', value: '20', ...stored },
        { name: 'claims', value: '"accept"', ...stored },
      ]),
    );
    await store.change([edit('CRM_TIMEOUT_SECONDS', null), edit('claims', null)], { since: since + 2, at, author });
    expect((await other.read()).settings.filter(({ name }) => name === 'claims')).toEqual([]);
  });

  it('settings: a value and the next one stand side by side, and each is replaced by itself', async () => {
    const store = storeOf(0);
    const slots = async () =>
      (await store.read()).settings
        .filter(({ name }) => name === 'CRM_EVENT_TOKEN')
        .map(({ slot, value, isSealed }) => `${slot} ${value} ${isSealed}`)
        .toSorted();
    const sealed = (value: string) => ({ row: { value, isSealed: true }, new: '••••' });
    const change = async (...edits: SettingEdit[]) =>
      store.change(edits, { since: await store.version(), at, author: 'x' });
    await change(
      edit('CRM_EVENT_TOKEN', '', sealed('v1.a')),
      edit('CRM_EVENT_TOKEN', '', { slot: 'next', ...sealed('v1.b') }),
    );
    expect(await slots()).toEqual(['current v1.a true', 'next v1.b true']);
    await change(edit('CRM_EVENT_TOKEN', '', sealed('v1.c')));
    expect(await slots()).toEqual(['current v1.c true', 'next v1.b true']);
    await change(edit('CRM_EVENT_TOKEN', null), edit('CRM_EVENT_TOKEN', null, { slot: 'next' }));
    expect(await slots()).toEqual([]);
  });

  it('settings: of two changes at the same moment one is made, and the other not at all', async () => {
    const since = await storeOf(0).version();
    const made = await Promise.all(
      ([0, 1] as const).map((which) =>
        storeOf(which).change([edit('CRM_PORTAL_URL', `https://${which}.example`)], { since, at, author: `${which}` }),
      ),
    );
    expect(made.toSorted()).toEqual([null, since + 1].toSorted());
    const changes = await storeOf(0).changes({ limit: 5 });
    expect(changes.filter(({ version }) => version > since)).toHaveLength(1);
  });

  it('settings: the audit trail has the latest first, page by page', async () => {
    const store = storeOf(0);
    for (const value of ['1', '2', '3'])
      await store.change([edit('CRM_REFRESH_TTL_MINUTES', value, { default: '15' })], {
        since: await store.version(),
        at,
        author: 'Lan',
      });
    const [latest, ...others] = await store.changes({ limit: 2 });
    expect(latest).toEqual({
      version: await store.version(),
      at: '2026-12-23T04:26:40.000Z',
      by: 'Lan',
      action: 'set',
      old: null,
      name: 'CRM_REFRESH_TTL_MINUTES',
      slot: 'current',
      new: '3',
      default: '15',
    });
    expect(others.map((change) => change.new)).toEqual(['2']);
    const before = others[0]?.version ?? 0;
    expect((await store.changes({ limit: 1, before })).map((change) => change.new)).toEqual(['1']);
  });
}
