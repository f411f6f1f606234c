/** How long answers of the CRM may serve without asking again, in milliseconds. 0 means: not at all. */
export interface Lifetimes {
  company: number;
  /** "There is no such company": short, because a new shop appears in the CRM at any moment. */
  negative: number;
  /** The account owner may change or leave without the company's record moving (facts/competitors.md, T7). */
  owner: number;
}

const minute = 60_000;

/** The lifetimes that follow from the one configured TTL, `CRM_REFRESH_TTL_MINUTES` (design.md, decision 7). */
export function lifetimesOf(ttlMinutes: number): Lifetimes {
  const company = ttlMinutes * minute;
  return { company, negative: Math.min(company, 5 * minute), owner: Math.min(company, 60 * minute) };
}

/** An answer no older than this may be shown at once, marked old, while a newer one is fetched. */
export const servableForMs = 24 * 60 * minute;

/**
 * How long that newer answer is waited for, in milliseconds. The CRM mostly answers by then; where it does not, somebody
 * who opens a ticket is better served with what is at hand.
 */
export const patienceMs = 1_000;

/**
 * Whether a check still counts: its age is strictly below the lifetime (facts/domain.md 6.3). A check that lies in the
 * future, after the clock was put back, does not count.
 */
export function isFresh(checkedAt: number, lifetime: number, now: number): boolean {
  const age = now - checkedAt;
  return age >= 0 && age < lifetime;
}
