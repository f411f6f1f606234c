import type { ProfileData } from '@deskside/shared/profile';
import type { Texts } from '../i18n/texts.ts';
import { type Part, type ProfileView, profileView } from './view-model.ts';

/** What changed: key of a value to the text that stood there before, null where there was none. */
export type Changes = ReadonlyMap<string, string | null>;

export const noChanges: Changes = new Map();

/**
 * Compares two profiles of one ticket value by value, as worded on screen. Where the CRM now names another company, only
 * its name and id are marked: comparing two companies row by row would say nothing. Where one side has no company, only
 * what the helpdesk knows is compared. What has merely not arrived yet has not changed.
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
  const earlier = new Map(partsOf(profileView(before, t, now, null)).map((part) => [part.key, part.text]));
  const changes = new Map<string, string | null>();
  for (const { key, text } of partsOf(profileView(after, t, now, before))) {
    const previous = earlier.get(key) ?? null;
    if (comparable(key) && previous !== text) changes.set(key, previous);
  }
  return changes;
}

function partsOf({ company, groups }: ProfileView): Part[] {
  const parts = groups.flatMap((group) => group.rows.flatMap((row) => row.parts));
  if (!company) return parts;
  const { name, status, left, signed, expiry } = company.plan;
  return [company.name, company.id, ...company.tags, name, status, left, signed, expiry, ...parts];
}
