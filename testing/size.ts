/**
 * Floods are small in `npm test`, and as large as they are meant in `npm run test:full`. What they assert is the same.
 */
export function sized<T>({ small, full }: { small: T; full: T }): T {
  return process.env.TEST_SIZE === 'full' ? full : small;
}
