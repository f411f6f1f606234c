import { portalTime } from '#crm/methods/methods.ts';

/** The `time` block that goes with every answer (docs/crm.md#calling); moments in epoch milliseconds. */
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
