/** The longest lease, in milliseconds. One that ends later than this from now was dated by a clock that has since been set back. */
export const longestLeaseMs = 5 * 60_000;
