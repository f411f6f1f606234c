import { setTimeout as wait } from 'node:timers/promises';
import type { ProofHop } from '@deskside/shared/operator/proof';
import type { OrgId } from '@deskside/shared/orgid';
import { Command } from 'commander';
import { type Proof, ProofBusy, prove } from '#app/prove/prove.ts';
import { withProofSite } from '#checks/proof-site.ts';
import { readAdminKey } from '#cli/admin-key.ts';
import { never, orgIdArgument } from '#cli/arguments.ts';
import { loadConfig } from '#cli/load-config.ts';
import { withStore } from '#cli/own-store.ts';
import { type Terminal, terminal } from '#cli/terminal/terminal.ts';
import type { Config } from '#config/environment.ts';
import { StartError } from '#http/server/listen.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { Secret } from '#ports/runtime/secret.ts';
import { confirms } from '#setup/provision/io.ts';

interface ProveOptions {
  adminKeyFile?: string;
  orgId?: OrgId;
  yes?: boolean;
  json?: boolean;
}

/** `deskside prove`: makes a ticket, follows it to its profile, and deletes it (docs/operations.md#the-proof). */
export function proveCommand(): Command {
  return new Command('prove')
    .description('Make a ticket, follow it through webhook, inbox, CRM and decision to its profile, and delete it')
    .option(
      '--admin-key-file <path>',
      "file with a System Manager's key:secret (default: DESKSIDE_ADMIN_KEY): says more, and leaves no copy of the ticket",
    )
    .option(
      '--org-id <number>',
      'the org id that the CRM is asked about (default: that of some customer)',
      orgIdArgument,
    )
    .option('--yes', 'do not ask where the ticket sets off something else')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExits with 0 if every hop worked, otherwise with 1; with 2 if it was not confirmed.')
    .action(async ({ adminKeyFile, ...options }: ProveOptions) => {
      const adminKey = readAdminKey(adminKeyFile, process.env.DESKSIDE_ADMIN_KEY);
      process.exitCode = await runProve(await loadConfig(), adminKey, options, terminal());
    });
}

/**
 * The command without its process.
 *
 * @returns the exit code: 0 every hop worked; 1 not; 2 not confirmed
 * @throws StartError, and StoreError
 */
export async function runProve(
  config: Config,
  adminKey: Secret | null,
  { orgId, yes, json }: Pick<ProveOptions, 'orgId' | 'yes' | 'json'>,
  io: Terminal,
): Promise<number> {
  const signal = never();
  return withStore(config.DATABASE_URL.reveal(), ({ upkeep, leases }) =>
    withProofSite(config, adminKey, async (site) => {
      const others = await site.alsoSetOff(signal);
      if (!json) io.print(alsoSays(others));
      if (!yes && others !== null && others.length > 0) {
        if (io.ask === null) io.printError('Nothing was done: run this again with --yes.');
        if (!(await confirms(io, 'Make the ticket? [y/N] '))) return 2;
      }
      const pause = (ms: number) => wait(ms, undefined, { signal });
      const proof = await prove({ upkeep, leases, clock: Date.now, pause }, site, { orgId: orgId ?? null }, signal);
      io.print(json ? printJson(proof) : printProof(proof));
      return proof.problems.length === 0 ? 0 : 1;
    }),
  ).catch((error: unknown) => {
    if (error instanceof ProofBusy) throw new StartError(error.message);
    if (error instanceof HelpdeskError)
      throw new StartError(`The helpdesk does not take the ticket, or does not delete it. ${error.message}`);
    throw error;
  });
}

function alsoSays(others: readonly string[] | null): string {
  if (others === null) return "What else a new ticket sets off at this helpdesk, a System Manager's key would show.";
  if (others.length === 0) return 'A new ticket sets off nothing else at this helpdesk.';
  return `The ticket also sets off: ${others.join(', ')}.`;
}

/** The proof for scripts: what did not work as sentences. */
function printJson(proof: Proof): string {
  return JSON.stringify({ ...proof, problems: proof.problems.map(({ problem }) => problem) }, null, 2);
}

const hops: Record<ProofHop, string> = {
  inserted: 'the helpdesk took the ticket',
  heard: 'Deskside heard of it',
  taken: 'the inbox was worked on',
  crm: 'the CRM answered',
  decided: 'the team was decided',
  profile: 'the profile was there',
};

/** The proof for people: each hop with its seconds, who would be next, and what did not work. */
function printProof({ ticket, met, hops: timed, problems, isCopyKept }: Proof): string {
  const total = timed.reduce((sum, { ms }) => sum + ms, 0);
  const said = (hop: ProofHop) => {
    if (hop === 'heard' && met) return `${hops.heard}, by the ${met.cause}`;
    if (hop === 'crm' && met) return met.crm === null ? 'no CRM is asked' : `${hops.crm}: ${met.crm}`;
    if (hop === 'decided' && met?.team)
      return `${met.team}; next would be ${met.next ?? 'nobody: nobody is available'}`;
    return hops[hop];
  };
  return [
    `Ticket ${ticket}`,
    ...timed.map(({ hop, ms }) => `  ✓ ${seconds(ms)}  ${said(hop)}`),
    ...problems.map(({ problem }) => `  ✗ ${problem}`),
    isCopyKept
      ? 'The ticket is deleted; the helpdesk keeps a copy under "Deleted Document".'
      : 'The ticket is deleted; the helpdesk keeps its log lines, of that and of the webhook.',
    problems.length === 0 ? `It works: ${seconds(total).trim()} in all.` : 'It does not work yet.',
  ].join('\n');
}

const seconds = (ms: number) => `${(Math.max(0, ms) / 1_000).toFixed(2)} s`.padStart(8);
