import type { Remark, SettingChanged, SettingName, SettingSlot } from '@deskside/shared/settings';
import type { Context } from '#app/context.ts';
import type { SettingKinds, SettingsInForce } from '#ports/runtime/settings.ts';
import type { SettingEdit, StoredSetting } from '#store/settings/settings.ts';
import type { Actor } from './actor.ts';
import { masked, openStored, placeOf } from './open-stored.ts';
import { readValue } from './read-value.ts';
import { remark } from './remark.ts';
import { SettingRefused } from './setting-refused.ts';
import type { Settings } from './settings.ts';

/** One setting that is to change; `value`: null takes it out of the store. */
interface Wanted {
  name: SettingName;
  slot: SettingSlot;
  value: string | null;
}

interface By {
  actor: Actor;
}

/** A change is in force in this process at once, on the others within five seconds. */
type Needs = Pick<Context, 'clock'> & {
  settings: Omit<Settings, 'inForce'> & { inForce: () => Pick<SettingsInForce, 'sourceOf'> };
};

/**
 * Changes one setting of the store, once it has been tried. Repeatable: what the store holds already is kept again. Like
 * all verbs here it throws `SettingRefused`, or what the store throws.
 */
export async function changeSetting(ctx: Needs, asked: Wanted & By, signal: AbortSignal): Promise<SettingChanged> {
  const { actor, name, slot, value } = asked;
  const { store, kinds } = ctx.settings;
  if (slot === 'next' && !kinds.isSecret(name))
    throw refused(name, remark('not_a_secret', `${name} is no secret and has one value only.`));
  const { version, settings } = await store.read();
  const before = settings.find((one) => one.name === name && one.slot === slot);
  const text = value === null ? null : readValue(kinds, name, value);
  const row = text === null ? null : rowOf(ctx.settings, name, slot, text);
  const after = [
    ...settings.filter((one) => one !== before),
    ...(row === null ? [] : [{ name, slot, ...row, changedAt: 0, changedBy: '' }]),
  ];
  const notes = await tried(ctx.settings, { name, slot, text }, after, signal);
  const edit: SettingEdit = {
    name,
    slot,
    row,
    action: row === null ? 'unset' : 'set',
    old: before === undefined ? null : shown(kinds, before),
    new: row === null ? null : shown(kinds, { name, ...row }),
    default: ctx.settings.inForce().sourceOf(name) === 'environment' ? null : kinds.defaultOf(name),
  };
  return { version: await keep(ctx, actor, row === null && !before ? [] : [edit], version), notes };
}

/** Makes a secret's next value the current one, and drops the one before. */
export async function promoteSetting(
  ctx: Needs,
  { actor, name }: Pick<Wanted, 'name'> & By,
  signal: AbortSignal,
): Promise<SettingChanged> {
  const { store, sealer } = ctx.settings;
  const { version, settings } = await store.read();
  const find = (slot: SettingSlot) => settings.find((one) => one.name === name && one.slot === slot);
  const [current, next] = [find('current'), find('next')];
  if (next === undefined) throw refused(name, remark('no_next_value', `${name} has no next value in the store.`));
  const text = sealer?.open(next.value, placeOf(next));
  if (text === undefined || text === null) throw refused(name, unopened([name]));
  const row = rowOf(ctx.settings, name, 'current', text);
  const after = [
    ...settings.filter((one) => one !== next && one !== current),
    { ...row, name, slot: 'current' as const, changedAt: 0, changedBy: '' },
  ];
  const notes = await tried(ctx.settings, { name, slot: 'current', text }, after, signal);
  const old = current === undefined ? null : masked;
  const edits: SettingEdit[] = [
    { name, slot: 'current', row, action: 'promoted', old, new: masked, default: null },
    { name, slot: 'next', row: null, action: 'unset', old: masked, new: null, default: null },
  ];
  return { version: await keep(ctx, actor, edits, version), notes };
}

/** Seals all secrets under the current master key. Returns how many there are. */
export async function sealAgain(ctx: Needs, actor: Actor): Promise<number> {
  const { store, sealer } = ctx.settings;
  const { version, settings } = await store.read();
  const sealed = settings.filter(({ isSealed }) => isSealed);
  const closed: SettingName[] = [];
  const edits = sealed.flatMap((setting): SettingEdit[] => {
    const { name, slot } = setting;
    const text = sealer?.open(setting.value, placeOf(setting)) ?? null;
    if (text === null) closed.push(name);
    if (text === null) return [];
    const audited = { action: 'sealed again', old: masked, new: masked, default: null } as const;
    return [{ name, slot, row: rowOf(ctx.settings, name, slot, text), ...audited }];
  });
  if (closed[0] !== undefined) throw refused(closed[0], unopened(closed));
  await keep(ctx, actor, edits, version);
  return edits.length;
}

function rowOf(
  { kinds, sealer }: Needs['settings'],
  name: SettingName,
  slot: SettingSlot,
  text: string,
): Pick<StoredSetting, 'value' | 'isSealed'> {
  if (!kinds.isSecret(name)) return { value: text, isSealed: false };
  if (sealer === null) {
    const why = 'is a secret, and without MASTER_KEY or MASTER_KEY_FILE it has to stay in the environment.';
    throw refused(name, remark('needs_master_key', `${name} ${why}`));
  }
  return { value: sealer.seal(text, placeOf({ name, slot })), isSealed: true };
}

async function tried(
  { sealer, trySetting, inForce }: Needs['settings'],
  wanted: { name: SettingName; slot: SettingSlot; text: string | null },
  after: readonly StoredSetting[],
  signal: AbortSignal,
): Promise<Remark[]> {
  const { stored } = openStored(after, sealer);
  const { problems, notes } = await trySetting({ ...wanted, stored }, signal);
  if (problems.length > 0) throw refused(wanted.name, ...problems);
  if (inForce().sourceOf(wanted.name) !== 'environment') return notes;
  const message = `The environment sets ${wanted.name}, too, and goes over the store as long as it does.`;
  return [...notes, remark('overridden', message)];
}

async function keep(ctx: Needs, actor: Actor, edits: readonly SettingEdit[], since: number): Promise<number> {
  const { store, refresh } = ctx.settings;
  if (edits.length === 0) return since;
  const version = await store.change(edits, { since, at: ctx.clock(), author: actor.name });
  if (version === null) {
    const message = 'Somebody else has changed a setting at the same moment; look at it and try again.';
    throw new SettingRefused('changed_since', message);
  }
  await refresh();
  return version;
}

function shown(kinds: SettingKinds, { name, value }: Pick<StoredSetting, 'name' | 'value'>): string | null {
  return kinds.isSecret(name) ? masked : kinds.shown(name, value);
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
