import type { Texts } from '#i18n/panel/texts.ts';

/** A time that a field of the helpdesk holds, which is on the helpdesk's own clock and marked so. */
export function siteTime(value: string | null, t: Texts): string | null {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d:\d\d)(:\d\d(\.\d+)?)?$/.exec(value ?? '') ?? [];
  return time ? t.fields.siteTime(`${day}/${month}/${year} ${time}`) : value || null;
}
