/** Three times as long as was worked: whoever looks at any moment finds three of four free. */
const factor = 3;
const longestMs = 1_000;

/**
 * For much work that is done in portions: waits, when called between two of them, for as long as others need to get in. A
 * process that wants to write to the same SQLite file only looks now and then whether it is free, and gives up after half a
 * second of bad luck; letting go for a moment is not enough.
 */
export function restBetween(): () => Promise<void> {
  let from = performance.now();
  return async () => {
    const ms = Math.min(longestMs, factor * (performance.now() - from));
    await new Promise((resolve) => setTimeout(resolve, ms));
    from = performance.now();
  };
}
