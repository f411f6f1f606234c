import type { ProfileData } from '@deskside/shared/profile';
import type { Texts } from '#i18n/panel/texts.ts';
import type { Changes, Part } from '#panel/rows/row.ts';
import { type ProfileModel, profileModel } from './profile-model.ts';

/**
 * Compares two profiles of one ticket value by value, as shown on screen. If the CRM now gives another company, only its
 * name and id are marked: comparing two companies row by row would tell nothing. If one of the profiles has no company,
 * only the helpdesk's data is compared. Data that is still loading does not count as changed.
 */
export function changesBetween(before: ProfileData, after: ProfileData, t: Texts, now: number): Changes {
  const was = before.bitrix.company?.bitrix_id;
  const is = after.bitrix.company?.bitrix_id;
  const accountsUnknown = [before, after].some(({ pending }) => pending.includes('haravan'));
  const comparable = (key: string) => {
    if (accountsUnknown && key.startsWith('accounts.')) return false;
    if (/^(hd|accounts)\b/.test(key)) return true;
    if (was === undefined || is === undefined) return false;
    return was === is || key === 'company.name' || key === 'company.id';
  };
  const earlier = new Map(partsOf(profileModel(before, t, now, null)).map((part) => [part.key, part.text]));
  const changes = new Map<string, string | null>();
  for (const { key, text } of partsOf(profileModel(after, t, now, before))) {
    const previous = earlier.get(key) ?? null;
    if (comparable(key) && previous !== text) changes.set(key, previous);
  }
  return changes;
}

function partsOf({ company, mentions, groups }: ProfileModel): Part[] {
  const parts = groups.flatMap((group) => group.rows.flatMap((row) => row.parts));
  for (const { name, email, phones, notes } of mentions)
    parts.push(...(name ? [name] : []), email, ...phones, ...notes);
  if (!company) return parts;
  const { plan, health, segment, owner, reach } = company;
  return [
    ...[company.name, segment],
    ...[plan.name, plan.status, plan.left, plan.signed, plan.expiry],
    ...[health.segment, health.detail, health.last],
    ...owner.parts,
    ...reach.parts,
    ...parts,
  ];
}
