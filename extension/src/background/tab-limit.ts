/** Milliseconds within which a tab's requests are counted. */
const windowMs = 30_000;

/** Counts what each tab asks for. The returned function says whether one more is allowed now, and counts it if so. */
export function createTabLimit(most: number, now: () => number) {
  const taken = new Map<number, number[]>();
  return (tabId: number): boolean => {
    const recent = (taken.get(tabId) ?? []).filter((at) => now() - at < windowMs);
    const allowed = recent.length < most;
    if (allowed) recent.push(now());
    taken.set(tabId, recent);
    return allowed;
  };
}
