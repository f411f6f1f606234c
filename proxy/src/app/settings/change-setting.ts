import type { Remark, SettingChanged, SettingName, SettingSlot } from '@deskside/shared/operator/settings';
import type {
  Sealer,
  SettingEdit,
  SettingKinds,
  SettingsInForce,
  SettingsStore,
  StoredSetting,
  TrySetting,
} from '#ports/operator/settings.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import { type Actor, requireChange } from './actor.ts';
import { masked, openStored, placeOf } from './open-stored.ts';
import { readValue } from './read-value.ts';
import { remark } from './remark.ts';
import { SettingRefused } from './setting-refused.ts';

/** One setting that is to change; `value`: null takes it out of the store. */
interface WantedSetting {
  name: SettingName;
  slot: SettingSlot;
  value: string | null;
}

/**
 * Changes one setting of the store, once it has been tried. Repeatable: what the store holds already is kept again. All
 * methods throw `SettingRefused`, or what the store throws.
 */
export interface ChangeSetting {
  change(actor: Actor, wanted: WantedSetting, signal: AbortSignal): Promise<SettingChanged>;
  /** Makes a secret's next value the current one, and drops the one before. */
  promote(actor: Actor, name: SettingName, signal: AbortSignal): Promise<SettingChanged>;
  /** Seals all secrets under the current master key. Returns how many there are. */
  sealAgain(actor: Actor): Promise<number>;
}

export interface ChangeSettingDeps {
  store: SettingsStore;
  kinds: SettingKinds;
  /** Null without a master key. */
  sealer: Sealer | null;
  inForce: () => Pick<SettingsInForce, 'sourceOf'>;
  trySetting: TrySetting;
  /** Has the change in force in this process at once. */
  onChanged: () => Promise<void>;
  clock: Clock;
}

export function createChangeSetting(deps: ChangeSettingDeps): ChangeSetting {
  const { store, kinds, sealer, clock } = deps;

  async function change(actor: Actor, { name, slot, value }: WantedSetting, signal: AbortSignal) {
    requireChange(actor);
    if (slot === 'next' && !kinds.isSecret(name))
      throw refused(name, remark('not_a_secret', `${name} is no secret and has one value only.`));
    const { version, settings } = await store.read();
    const before = settings.find((one) => one.name === name && one.slot === slot);
    const text = value === null ? null : readValue(kinds, name, value);
    const row = text === null ? null : rowOf(name, slot, text);
    const after = [
      ...settings.filter((one) => one !== before),
      ...(row === null ? [] : [{ name, slot, ...row, changedAt: 0, changedBy: '' }]),
    ];
    const notes = await tried({ name, slot, text }, after, signal);
    const edit: SettingEdit = {
      ...{ name, slot, row, action: row === null ? ('unset' as const) : ('set' as const) },
      old: before === undefined ? null : shown(before),
      new: row === null ? null : shown({ name, ...row }),
      default: deps.inForce().sourceOf(name) === 'environment' ? null : kinds.defaultOf(name),
    };
    return { version: await keep(actor, row === null && !before ? [] : [edit], version), notes };
  }

  async function promote(actor: Actor, name: SettingName, signal: AbortSignal) {
    requireChange(actor);
    const { version, settings } = await store.read();
    const find = (slot: SettingSlot) => settings.find((one) => one.name === name && one.slot === slot);
    const [current, next] = [find('current'), find('next')];
    if (next === undefined) throw refused(name, remark('no_next_value', `${name} has no next value in the store.`));
    const text = sealer?.open(next.value, placeOf(next));
    if (text === undefined || text === null) throw refused(name, unopened([name]));
    const row = rowOf(name, 'current', text);
    const after = [
      ...settings.filter((one) => one !== next && one !== current),
      { ...row, name, slot: 'current' as const, changedAt: 0, changedBy: '' },
    ];
    const notes = await tried({ name, slot: 'current', text }, after, signal);
    const old = current === undefined ? null : masked;
    const edits: SettingEdit[] = [
      { name, slot: 'current', row, action: 'promoted', old, new: masked, default: null },
      { name, slot: 'next', row: null, action: 'unset', old: masked, new: null, default: null },
    ];
    return { version: await keep(actor, edits, version), notes };
  }

  async function sealAgain(actor: Actor): Promise<number> {
    requireChange(actor);
    const { version, settings } = await store.read();
    const sealed = settings.filter(({ isSealed }) => isSealed);
    const closed: SettingName[] = [];
    const edits = sealed.flatMap((setting): SettingEdit[] => {
      const { name, slot } = setting;
      const text = sealer?.open(setting.value, placeOf(setting)) ?? null;
      if (text === null) closed.push(name);
      if (text === null) return [];
      const audited = { action: 'sealed again', old: masked, new: masked, default: null } as const;
      return [{ name, slot, row: rowOf(name, slot, text), ...audited }];
    });
    if (closed[0] !== undefined) throw refused(closed[0], unopened(closed));
    await keep(actor, edits, version);
    return edits.length;
  }

  function rowOf(name: SettingName, slot: SettingSlot, text: string): Pick<StoredSetting, 'value' | 'isSealed'> {
    if (!kinds.isSecret(name)) return { value: text, isSealed: false };
    if (sealer === null) {
      const why = 'is a secret, and without MASTER_KEY or MASTER_KEY_FILE it has to stay in the environment.';
      throw refused(name, remark('needs_master_key', `${name} ${why}`));
    }
    return { value: sealer.seal(text, placeOf({ name, slot })), isSealed: true };
  }

  async function tried(
    wanted: { name: SettingName; slot: SettingSlot; text: string | null },
    after: readonly StoredSetting[],
    signal: AbortSignal,
  ): Promise<Remark[]> {
    const { stored } = openStored(after, sealer);
    const { problems, notes } = await deps.trySetting({ ...wanted, stored }, signal);
    if (problems.length > 0) throw refused(wanted.name, ...problems);
    if (deps.inForce().sourceOf(wanted.name) !== 'environment') return notes;
    const message = `The environment sets ${wanted.name}, too, and goes over the store as long as it does.`;
    return [...notes, remark('overridden', message)];
  }

  async function keep(actor: Actor, edits: readonly SettingEdit[], since: number): Promise<number> {
    if (edits.length === 0) return since;
    const version = await store.change(edits, { since, at: clock(), author: actor.name });
    if (version === null) {
      const message = 'Somebody else has changed a setting at the same moment; look at it and try again.';
      throw new SettingRefused('changed_since', message);
    }
    await deps.onChanged();
    return version;
  }

  function shown({ name, value }: Pick<StoredSetting, 'name' | 'value'>): string | null {
    return kinds.isSecret(name) ? masked : kinds.shown(name, value);
  }

  return { change, promote, sealAgain };
}

function refused(name: SettingName, ...remarks: Remark[]): SettingRefused {
  return new SettingRefused('refused', remarks, name);
}

function unopened(names: readonly SettingName[]): Remark {
  return remark('not_opened', unopenedOf(names), { settings: names.join(', ') });
}

/** Why sealed values are of no use, in a sentence. */
export function unopenedOf(names: readonly SettingName[]): string {
  const them = names.join(', ');
  return `${them}: the store's value does not open under this MASTER_KEY; give the key that it was sealed with, or set it anew.`;
}
