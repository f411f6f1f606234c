/** The time as epoch milliseconds. Injected, so that tests own it. */
export type Clock = () => number;
