/** When what was answered, or has failed, is asked for again. */

/** How old an answer may be for a page that comes to the front, in milliseconds: others may have changed the ticket. */
export const frontMs = 5_000;

/** Pauses after a failure, the next and all that follow, in milliseconds. */
const pausesMs = [2_000, 5_000, 9_000];
/** Not all pages ask again at the same moment. */
const spread = 0.9 + Math.random() * 0.2;

/** The pause after so many failures before it is asked again, while the page is in front: at most ten seconds. */
export function pauseMs(failures: number): number {
  return spread * (pausesMs[failures - 1] ?? 9_000);
}
