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

/** Microseconds that a process and those that it has started have computed, those that have ended included. */
export function processorTimeBelow(pid: number): number {
  const known = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), ...fieldsOf(Number(name)) }));
  const sum = known.reduce((all, one) => {
    if (one.pid === pid) return all + one.own + one.ended;
    return one.parent === pid ? all + one.own : all;
  }, 0);
  // A hundredth of a second each.
  return sum * 10_000;
}

/** Of a process that has ended just now, nothing: what it computed is its parent's then. */
function fieldsOf(pid: number): { parent: number; own: number; ended: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? [];
    const [, parent = 0] = fields;
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11);
    return { parent, own: user + system, ended: childrenUser + childrenSystem };
  } catch {
    return { parent: 0, own: 0, ended: 0 };
  }
}

/** Megabytes of memory (10^6 bytes) that a process holds at this moment. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1_024) / 1e6;
}
