import { availableParallelism, loadavg, platform, totalmem } from 'node:os';

/** The machine by its kind, and how busy it was before the first case. */
export function machine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const [load = 0] = loadavg();
  return `${availableParallelism()} cores, ${gigabytes} GB, ${platform()}, Node ${process.versions.node}, load ${load.toFixed(1)} at the start`;
}
