import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@deskside/testing/free-port';
import { optionalPrograms } from '@deskside/testing/programs';
import type { ServerProcess } from '../frame/start-process.ts';

/**
 * Debian's nginx as one process in front of `upstream`, whose answers it keeps for each credential. Null where it is not
 * installed.
 */
export async function startNginx(folder: string, upstream: string): Promise<ServerProcess | null> {
  const program = optionalPrograms.nginx.find();
  if (program === null) return null;
  const port = await freePort();
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`);
  const file = path.join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
    events {}
    http {
      access_log off; keepalive_requests 1000000; ${places.join(' ')}
      proxy_cache_path ${folder}/cache keys_zone=profiles:1m;
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass ${upstream};
          proxy_cache profiles;
          proxy_cache_key $request_uri$http_authorization;
        }
      }
    }`,
  );
  const child = spawn(program, ['-p', folder, '-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${output}`);
    await wait(10);
  }
  return {
    url,
    pid: child.pid ?? 0,
    async end(signal = 'SIGKILL') {
      child.kill(signal);
      await ended;
    },
  };
}
