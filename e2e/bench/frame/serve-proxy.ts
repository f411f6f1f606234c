import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { type ServerProcess, startProcess } from './start-process.ts';

/** What `ops/deskside.service` and `ops/compose.yaml` give it, in MB. V8 sizes its heap by that. */
export const memoryLimit = 512;

/** Where Linux keeps the memory limits of processes, by the two ways that it has for it. */
const controllers = [
  { root: '/sys/fs/cgroup', limit: 'memory.max' },
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
];

/** A proxy in a process of its own. */
export interface ProxyProcess extends ServerProcess {
  /** It may hold no more memory than the shipped unit gives it: this machine lets us say so. */
  isLimited: boolean;
}

/** Starts the proxy as its unit does, with the memory of the unit where this machine lets us limit it. */
export async function serveProxy(environment: Record<string, string>): Promise<ProxyProcess> {
  const args = [proxyCli, 'serve'];
  const group = await makeGroup();
  if (!group) return { ...(await startProcess(args, environment)), isLimited: false };
  try {
    const started = await startProcess(args, environment, path.join(group, 'cgroup.procs'));
    const end: ServerProcess['end'] = async (signal) => {
      await started.end(signal);
      await rmdir(group);
    };
    return { ...started, end, isLimited: true };
  } catch (error) {
    await rmdir(group);
    throw error;
  }
}

async function makeGroup(): Promise<string | null> {
  for (const { root, limit } of controllers) {
    groups += 1;
    const group = path.join(root, `deskside-${process.pid}-${groups}`);
    try {
      await mkdir(group);
      try {
        // It exists already: where it is no control group, there is no such file to be made.
        await writeFile(path.join(group, limit), String(memoryLimit * 2 ** 20), { flag: 'r+' });
        return group;
      } catch {
        await rmdir(group);
      }
    } catch {
      // Not ours to make.
    }
  }
  return null;
}

let groups = 0;
