import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds that a process of this machine has computed so far, on all its threads. Linux counts them in nanoseconds. */
export function processorTime(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) => {
    const [running = ''] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ');
    return Number(running);
  });
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000;
}

/** Megabytes of memory (10^6 bytes) that a process holds at this moment. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1_024) / 1e6;
}
