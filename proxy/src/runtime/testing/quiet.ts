import type { Logger, Metrics } from '#runtime/log.ts';

/** Logs nothing. */
export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Counts nothing. */
export const uncounted: Metrics = {
  requestAnswered() {},
  companiesRead() {},
  companyAnswered() {},
  crmAnswered() {},
  ticketDecided() {},
  ticketAssigned() {},
  faultNoted() {},
  faultEnded() {},
};

/** A clock that does not move by itself. */
export function fakeClock(start = Date.UTC(2026, 4, 8)) {
  let now = start;
  return Object.assign(() => now, { advance: (ms: number) => (now += ms) });
}
