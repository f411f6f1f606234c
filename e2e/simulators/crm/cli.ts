import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeSeed } from '#seed/index.ts';
import type { CrmSeed } from '#seed/types.ts';
import { startCrm } from './server.ts';

/**
 * Runs the CRM simulator by itself: `pnpm sim:crm --port 8060 --plan standard --seed crm.json --json`. The first line is
 * the address (with `--json`: one object with every address). Ctrl-C ends it.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      plan: { type: 'string', default: 'standard' },
      seed: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('--port: expected a number from 0 to 65535.');
  if (values.plan !== 'standard' && values.plan !== 'enterprise')
    throw new Error('--plan: expected standard or enterprise.');
  const crm = await startCrm({ seed: readSeed(values.seed), port, plan: values.plan });
  const { url, webhookUrl, crmOnlyWebhookUrl, responsibleWebhookUrl } = crm;
  if (values.json) console.log(JSON.stringify({ url, webhookUrl, crmOnlyWebhookUrl, responsibleWebhookUrl }));
  else
    console.log(
      `${url}\nwebhook ${webhookUrl}\nwebhook, crm only ${crmOnlyWebhookUrl}\nwebhook, user_basic only ${responsibleWebhookUrl}`,
    );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void crm.close());
}

/** The invented world, or the CRM half of one in a file: `{companies, contacts, users}`. */
function readSeed(path: string | undefined): CrmSeed {
  if (path === undefined) return makeSeed().crm;
  const parsed = JSON.parse(readFileSync(path, 'utf8')) as { crm?: CrmSeed } & Partial<CrmSeed>;
  const { companies, contacts = [], users = [] } = parsed.crm ?? parsed;
  if (!Array.isArray(companies)) throw new Error('--seed: expected a JSON file with a list `companies`.');
  return { companies, contacts, users };
}

main().catch((error: unknown) => {
  const code = (error as NodeJS.ErrnoException).code;
  const reason =
    code === 'EADDRINUSE' ? 'The port is in use; choose another with --port.' : String((error as Error).message);
  console.error(reason);
  process.exitCode = 1;
});
