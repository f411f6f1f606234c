/** The window in which a tab's requests are counted, in milliseconds. */
const windowMs = 30_000;

/** A rate limit per tab. The returned function tells whether one more request is allowed now, and counts it if so. */
export function createRateLimit(max: number, now: () => number) {
  const taken = new Map<number, number[]>();
  return (tabId: number): boolean => {
    const recent = (taken.get(tabId) ?? []).filter((at) => now() - at < windowMs);
    const allowed = recent.length < max;
    if (allowed) recent.push(now());
    taken.set(tabId, recent);
    return allowed;
  };
}
