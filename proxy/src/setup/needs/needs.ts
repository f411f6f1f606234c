import type { Item } from '#setup/items.ts';
import { allowRenames, disableAccount, planAccount, planRenames } from './accounts.ts';
import { planScript, removeScript } from './before-insert.ts';
import { planClaims, planPlatformHosts } from './claims.ts';
import { planSnapshots } from './fields.ts';
import type { ProvisionRun } from './need.ts';
import { planDoctypes } from './rights.ts';
import { giveBack } from './rights-note.ts';
import { planClients, removeClients } from './sign-in.ts';
import { planTeams } from './teams.ts';
import { planWebhook, readWebhook, removeWebhook, whoElse } from './webhook.ts';

// All that Deskside needs in the helpdesk: each is compared, and what is missing is made, in this order.

const plans: readonly ((run: ProvisionRun) => Promise<Item[]> | Item[])[] = [
  planAccount,
  planTeams,
  planDoctypes,
  planRenames,
  planSnapshots,
  planWebhook,
  planClients,
  planScript,
  planClaims,
  planPlatformHosts,
];

export async function wantedItems(run: ProvisionRun): Promise<Item[]> {
  const items: Item[] = [];
  for (const plan of plans) items.push(...(await plan(run)));
  return items;
}

/** What is taken away again, sign-ins first, and what the operator should know before. */
export async function removalItems(
  run: ProvisionRun,
  { fields = false, account = false }: { fields?: boolean; account?: boolean },
): Promise<{ items: Item[]; warnings: string[] }> {
  const { own, admin, settings } = run;
  const items = [
    ...(await removeClients(run)),
    ...(await removeWebhook(run)),
    ...(await allowRenames(run)),
    ...(await removeScript(run)),
    ...(await giveBack(run, fields)),
    ...(account ? await disableAccount(run) : []),
  ];
  for (const name of own.inFile(['HELPDESK_WEBHOOK_SECRET', 'OAUTH_CLIENT_IDS']))
    items.push({ what: `Setting ${name}`, state: 'delete', make: async () => own.keep({ [name]: null }) });
  const elsewhere = whoElse(await readWebhook(admin), settings.PUBLIC_URL);
  const stays =
    'What tickets and people may hold on to stays: the service account ("deskside uninstall" disables it), teams with their assignment rules, HD Customer Data, and what the helpdesk has logged.';
  return { items, warnings: [...(elsewhere ? [elsewhere] : []), stays] };
}
