import { portalTime } from './methods.ts';

/** The `time` block that goes with every answer (facts/bitrix24.md 1.3); moments in epoch milliseconds. */
export function timeBlock(start: number, finish: number, operating: { operating: number; operating_reset_at: number }) {
  const duration = (finish - start) / 1_000;
  return {
    start: start / 1_000,
    finish: finish / 1_000,
    duration,
    processing: duration,
    date_start: portalTime(start),
    date_finish: portalTime(finish),
    ...operating,
  };
}
