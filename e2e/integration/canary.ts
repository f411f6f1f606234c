import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { tellOfNewTickets } from '../demo/world.ts';
import { startCrm } from '../simulators/crm/server.ts';
import { startHelpdesk } from '../simulators/helpdesk/server.ts';
import { demo, makeSeed } from '../simulators/seed/index.ts';

const cli = fileURLToPath(new URL('../../proxy/src/cli.ts', import.meta.url));
const canary = 'c4n4ry-0f-th3-s3rv1c3-acc0unt';
const webhookSecret = `${canary}-webhook`;
export const scriptSecret = `${canary}-script`;
const masterKey = Buffer.alloc(32, 7).toString('base64');

/** Every secret, and every 8-character slice of one, so that a shortened form is found too. */
export function slicesOf(secrets: string[]): string[] {
  const slices = secrets.flatMap((s) => Array.from({ length: Math.max(1, s.length - 7) }, (_, i) => s.slice(i, i + 8)));
  return [...new Set(slices)];
}

/** Runs `proxy serve` in a process of its own, as an operator does. */
export function serve(environment: Record<string, string>, cwd = tmpdir()) {
  const child = spawn(process.execPath, [cli, 'serve'], { cwd, env: { PATH: process.env.PATH, ...environment } });
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed.text += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, printed, ended };
}

/** Both simulators and a proxy process between them, with every secret planted that the configuration knows. */
export async function startCanaryWorld(finished: (end: () => Promise<void>) => void) {
  const seed = makeSeed();
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
  const crm = await startCrm({ seed: seed.crm });
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-canary-'));
  const { child, printed, ended } = serve(
    {
      PORT: '0',
      DATABASE_URL: `file:${path.join(folder, 'data')}`,
      HELPDESK_URL: helpdesk.url,
      HELPDESK_API_KEY: demo.service.apiKey,
      HELPDESK_API_SECRET: demo.service.apiSecret,
      HELPDESK_WEBHOOK_SECRET: webhookSecret,
      HELPDESK_SCRIPT_SECRET: scriptSecret,
      CRM_WEBHOOK_URL: crm.webhookUrl,
      CRM_RESPONSIBLE_WEBHOOK_URL: crm.responsibleWebhookUrl,
      CRM_EVENT_TOKEN: `${canary}-event`,
      MASTER_KEY: masterKey,
      METRICS_TOKEN: `${canary}-metrics`,
      ALLOW_INSECURE_UPSTREAMS: '1',
      LOG_LEVEL: 'debug',
    },
    folder,
  );
  finished(async () => {
    child.kill('SIGKILL');
    await Promise.all([ended, helpdesk.close(), crm.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  const url = () => /^http:\/\/\S+$/m.exec(printed.text)?.[0] ?? '';
  await expect.poll(url, { timeout: 20_000 }).not.toBe('');
  tellOfNewTickets(helpdesk, url(), webhookSecret);
  const needles = slicesOf([...crm.secrets, demo.service.apiSecret, canary, masterKey]);

  return {
    helpdesk,
    crm,
    url: url(),
    leaksIn: (text: string) => needles.filter((needle) => text.includes(needle)),
    /** Stops the proxy; gives what it has printed and what stands in its files. */
    async stop(): Promise<{ log: string; files: string }> {
      child.kill('SIGTERM');
      await ended;
      const data = path.join(folder, 'data');
      const files = await Promise.all((await readdir(data)).map((file) => readFile(path.join(data, file), 'latin1')));
      return { log: printed.text, files: files.join('\n') };
    },
  };
}
