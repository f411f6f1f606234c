import type { ProfileData } from '@deskside/shared/profile';
import { ago } from '#i18n/format.ts';
import type { Texts } from '#panel/texts/texts.ts';

/** Where what is on screen came from, and how old it is. */
export function freshnessLine({ bitrix }: ProfileData, now: number, t: Texts): string {
  const at = Date.parse(bitrix.as_of ?? '');
  if (Number.isNaN(at)) return t.shell.fromHelpdesk;
  const age = ago(t.language, now - at);
  return bitrix.stale ? t.shell.oldFromCrm(age) : t.shell.fromCrm(age);
}

/** A time that a field of the helpdesk holds, which is on the helpdesk's own clock and marked so. */
export function siteTime(value: string | null, t: Texts): string | null {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d:\d\d)(:\d\d(\.\d+)?)?$/.exec(value ?? '') ?? [];
  return time ? t.fields.siteTime(`${day}/${month}/${year} ${time}`) : value || null;
}
