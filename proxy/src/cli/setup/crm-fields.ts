import { Command } from 'commander';
import { loadConfig } from '#cli/load-config.ts';
import { printTable } from '#cli/terminal/print-table.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import { mustBePublic } from '#config/environment.ts';
import { StartError } from '#http/server/listen.ts';
import { createEgress } from '#net/egress.ts';

const withinMs = 15_000;

/** `deskside crm-fields`: which fields the CRM has for companies, ready to be shown (docs/settings.md#further-fields). */
export function crmFieldsCommand(): Command {
  return new Command('crm-fields')
    .description("List the CRM's fields of a company, and the rest of them as crm_fields.extra; changes nothing")
    .option('--json', 'print only a crm_fields with an extra for each field that is not shown yet')
    .action(async ({ json }: { json?: boolean }) => {
      const config = await loadConfig();
      const address = config.CRM_WEBHOOK_URL?.[0]?.reveal();
      if (address === undefined) throw new StartError('No CRM webhook is configured.');
      const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
      const upstream = (origin: string) =>
        egress.upstream(origin, { timeoutMs: withinMs, publicOnly: mustBePublic(config, origin) });
      const how = { upstream, withinMs, clock: Date.now };
      const fields = await crmAdapter.listFields(config.rules.crm_fields, address, how).finally(() => egress.close());
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
