import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, sharedSeed } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { printedBy } from '@deskside/testing/printed-by';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { slicesOf } from '@deskside/testing/slices-of';
import { proxyEnvironment } from '../demo/proxy-environment.ts';
import { tellOfNewTickets } from '../demo/world.ts';

const canary = 'c4n4ry-0f-th3-s3rv1c3-acc0unt';
export const webhookSecret = `${canary}-webhook`;
export const scriptSecret = `${canary}-script`;
export const metricsToken = `${canary}-metrics`;

const run = promisify(execFile);

type LogLine = Record<string, unknown> & { msg: string };

/** Runs `proxy serve` in a process of its own, as an operator does. */
export function serve(environment: Record<string, string>, cwd = tmpdir(), options: string[] = []) {
  const child = spawn(process.execPath, [proxyCli, 'serve', ...options], { cwd, env: childEnvironment(environment) });
  const { ended, ...printed } = printedBy(child, Number.POSITIVE_INFINITY);
  return { child, ...printed, ended: ended.then(([code]) => code) };
}

/**
 * Both simulators and a proxy process between them, with every secret planted that the settings know, of those that can be
 * replaced the next one as well. The settings are in a file.
 */
export async function startCanaryWorld(
  finished: (end: () => Promise<void>) => void,
  environment: Record<string, string> = {},
) {
  const seed = sharedSeed();
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
  const crm = await startCrm({ seed: seed.crm });
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-canary-'));
  const both = (secret: string) => `${secret},${secret}-next`;
  const variables: Record<string, string> = {
    ...proxyEnvironment({ helpdesk }, `file:${path.join(folder, 'data')}`),
    HELPDESK_API_SECRET: `${demo.service.apiSecret},${canary}-next`,
    HELPDESK_WEBHOOK_SECRET: both(webhookSecret),
    HELPDESK_SCRIPT_SECRET: both(scriptSecret),
    CRM_WEBHOOK_URL: `${crm.webhookUrl},${crm.crmOnlyWebhookUrl}`,
    CRM_RESPONSIBLE_WEBHOOK_URL: crm.responsibleWebhookUrl,
    CRM_EVENT_TOKEN: both(`${canary}-event`),
    METRICS_TOKEN: both(metricsToken),
    LOG_LEVEL: 'debug',
  };
  const file = path.join(folder, 'deskside.env');
  const writeFiles = async (changes: Record<string, string>, rules: object = {}) => {
    const lines = Object.entries({ ...variables, ...changes }).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(file, lines.join(''));
    await writeFile(path.join(folder, 'rules.json'), JSON.stringify(rules));
  };
  await writeFiles({});
  const { child, output, ended, address } = serve(environment, folder, ['--env-file', file]);
  finished(async () => {
    child.kill('SIGKILL');
    await Promise.all([ended, helpdesk.close(), crm.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  const url = await address;
  tellOfNewTickets(helpdesk, url, webhookSecret);
  const needles = slicesOf([...crm.secrets, demo.service.apiSecret, canary]);
  // Looks for all of them at once: nearly every text has none.
  const anyNeedle = new RegExp(needles.map((needle) => RegExp.escape(needle)).join('|'));

  return {
    helpdesk,
    crm,
    url,
    pid: child.pid,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    printed: output,
    ended,
    /** Writes the files of settings, with these in place of those that it started with, and of rules; it is not told of it. */
    writeFiles,
    /** Every line of the log so far that is JSON. */
    lines: () =>
      output()
        .split('\n')
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : [])),
    leaksIn: (text: string) => (anyNeedle.test(text) ? needles.filter((needle) => text.includes(needle)) : []),
    /** Backs up the store while the proxy works on it, as an operator does; gives what was printed and is in the file. */
    async backUp(): Promise<string> {
      const env = childEnvironment(environment);
      const made = path.join(folder, 'backup.db');
      const args = [proxyCli, '--env-file', file, 'backup', made];
      const { stdout, stderr } = await run(process.execPath, args, { cwd: folder, env });
      return [stdout, stderr, await readFile(made, 'latin1')].join('\n');
    },
    /** Stops the proxy; gives what it has printed and what stands in its files. */
    async stop(): Promise<{ log: string; files: string }> {
      child.kill('SIGTERM');
      await ended;
      const data = path.join(folder, 'data');
      // PostgreSQL's are not the proxy's.
      const names = await readdir(data).catch(() => []);
      const files = await Promise.all(names.map((file) => readFile(path.join(data, file), 'latin1')));
      return { log: output(), files: files.join('\n') };
    },
  };
}
