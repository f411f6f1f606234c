/** How long CRM answers may be used without asking again, in milliseconds. 0 means not at all. */
export interface Lifetimes {
  company: number;
  /** "No such company" is kept briefly, because a new shop can appear in the CRM at any moment. */
  negative: number;
  /** The account owner may change or leave without any change to the company's record (docs/crm.md#owners). */
  owner: number;
}

const minute = 60_000;

/** The lifetimes derived from the configured TTL, `CRM_REFRESH_TTL_MINUTES` (docs/decisions.md 7). */
export function lifetimesOf(ttlMinutes: number): Lifetimes {
  const company = ttlMinutes * minute;
  return { company, negative: Math.min(company, 5 * minute), owner: Math.min(company, 60 * minute) };
}

/** An answer no older than this may be shown at once, marked as old, while a newer one is fetched. */
export const servableForMs = 24 * 60 * minute;

/**
 * How long to wait for the newer answer, in milliseconds. The CRM has usually answered by then; if not, an agent who
 * opens a ticket is better served with what is at hand.
 */
export const patienceMs = 1_000;

/**
 * Whether a check still counts: its age is strictly below the lifetime (docs/decisions.md 7). A check in the future,
 * which happens when the clock is set back, does not count.
 */
export function isFresh(checkedAt: number, lifetime: number, now: number): boolean {
  const age = now - checkedAt;
  return age >= 0 && age < lifetime;
}
