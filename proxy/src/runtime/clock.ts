/** The time as epoch milliseconds. Injected, so that tests control it. */
export type Clock = () => number;
