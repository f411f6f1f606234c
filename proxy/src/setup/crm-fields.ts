import { Command } from 'commander';
import { printTable } from '#commands/print-table.ts';
import { type Config, parseConfig } from '#config.ts';
import { crmAdapter } from '#crm/chosen-crm.ts';
import type { CrmTrial } from '#crm/crm-adapter.ts';
import { withEgress } from '#net/egress.ts';
import { StartError } from '#server/http-server.ts';
import { crmOf } from './doctor/crm-trial.ts';

const withinMs = 15_000;

/** `deskside crm-fields`: which fields the CRM has for companies, ready to be shown (docs/settings.md#further-fields). */
export function crmFieldsCommand(): Command {
  return new Command('crm-fields')
    .description("List the CRM's fields of a company, and the rest of them as crm_fields.extra; changes nothing")
    .option('--json', 'print only a crm_fields with an extra for each field that is not shown yet')
    .action(async ({ json }: { json?: boolean }) => {
      const fields = await fieldsOfCrm(parseConfig(process.env));
      if (fields === null) throw new StartError('No CRM webhook is configured.');
      if ('failed' in fields) throw new StartError(`The CRM does not list its fields (${fields.failed}).`);
      const extra = fields.flatMap((field) => field.extra ?? []);
      if (!json) {
        const rows = fields.map(({ field, type, title, usedAs }) => [field, type, title, usedAs ?? '']);
        console.log([...printTable(['Field', 'Type', 'Title', 'Shown as'], rows), ''].join('\n'));
      }
      const lines = extra.map((entry) => JSON.stringify(entry)).join(',\n  ');
      console.log(`{ "extra": [\n  ${lines}\n] }`);
    });
}

/** What the CRM has for companies, and how it is shown; null if there is no webhook. */
export function fieldsOfCrm(config: Config): Promise<Awaited<ReturnType<typeof crmAdapter.listFields>> | null> {
  return askCrm(config, (address, how) => crmAdapter.listFields(config.rules.crm_fields, address, how));
}

/** Why the CRM does not work with the webhook of this configuration, as sentences; empty if it does. */
export async function problemsOfCrm(config: Config): Promise<string[]> {
  const found = await askCrm(config, (address, how) => crmAdapter.tryAddress(address, how));
  const errors = (found ?? []).filter(({ severity }) => severity === 'error');
  return errors.map(({ problem, remedy }) => `${problem} ${remedy}`);
}

async function askCrm<T>(config: Config, ask: (address: string, how: CrmTrial) => Promise<T>): Promise<T | null> {
  const address = config.CRM_WEBHOOK_URL?.[0]?.reveal();
  if (address === undefined) return null;
  return withEgress(config, (egress) => ask(address, crmOf({ egress, clock: Date.now }, withinMs)));
}
