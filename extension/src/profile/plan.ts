/** Calendar day of a `dd/MM/yyyy` text as epoch milliseconds (UTC midnight), null for anything else. */
export function parseDay(text: string | null): number | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text?.trim() ?? '');
  if (!match) return null;
  const [day, month, year] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const at = Date.UTC(year, month - 1, day);
  const date = new Date(at);
  return date.getUTCDate() === day && date.getUTCMonth() === month - 1 ? at : null;
}

/**
 * Which share of the plan's term has passed, 0 to 1. Null where a date is missing or unreadable (the CRM's text then
 * stands as it is), or the plan ends before it begins.
 */
export function termPassed(signed: string | null, expiry: string | null, now: number): number | null {
  const from = parseDay(signed);
  const to = parseDay(expiry);
  if (from === null || to === null || to <= from) return null;
  return Math.min(1, Math.max(0, (now - from) / (to - from)));
}
