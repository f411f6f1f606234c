import { printTable, type Terminal } from '#commands/terminal.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { StartError } from '#runtime/app-error.ts';

/** One thing in the helpdesk, on this machine or in a file of ours, that a command brings into its state. */
export interface Item {
  /** Such as `HD Ticket.custom_orgid` or `Webhook "…"`. */
  what: string;
  /** `conflict`: left as it is although it does not fit; the detail says what to do. */
  state: 'exists' | 'create' | 'change' | 'delete' | 'conflict';
  /** Holds no secret. */
  detail?: string;
  /** What the operator should know before agreeing. */
  warning?: string | undefined;
  /** Does it; a text that it returns is worth telling. Absent where nothing is to be done. */
  make?: () => Promise<unknown>;
  /** It is not tried where one of these has failed. */
  needs?: { items: readonly Item[]; why: string };
}

/** `plan` only shows the items; `ask` asks for confirmation; `yes` does not. */
export type Mode = 'plan' | 'ask' | 'yes';

/** Where a command says what it does, and asks. */
export type ItemIo = Pick<Terminal, 'print' | 'ask'>;

const words: Record<Item['state'], string> = {
  exists: 'exists',
  create: 'will be created',
  change: 'will be changed',
  delete: 'will be deleted',
  conflict: 'CONFLICT',
};

/**
 * Shows the items, asks, carries them out, and says what came of it.
 *
 * @param warnings what the operator should know besides
 * @param unchanged what is true where nobody agrees
 * @returns the exit code: 0 done, nothing to do or only shown; 1 something failed; 2 not confirmed
 */
export async function carryOut(
  items: readonly Item[],
  warnings: readonly string[],
  io: ItemIo,
  mode: Mode,
  unchanged = 'Nothing was changed.',
): Promise<0 | 1 | 2> {
  const rows = items.map(({ what, state, detail = '' }) => [words[state], what, detail]);
  if (rows.length > 0) io.print(printTable(['State', 'What', 'Detail'], rows).join('\n'));
  const told = [...items.flatMap(({ warning }) => warning ?? []), ...warnings];
  for (const warning of told) io.print(`\nWarning: ${warning}`);
  const { length } = items.filter(({ make }) => make);
  const count = length === 1 ? '1 change' : `${length} changes`;
  if (length === 0) {
    io.print('\nNothing to do.');
    return 0;
  }
  if (mode === 'plan') {
    io.print(`\nThis was only the plan: ${count}, none made.`);
    return 0;
  }
  if (mode === 'ask') {
    const answer = await io.ask?.(`\nMake ${length === 1 ? 'this change' : `these ${count}`}? [y/N] `);
    if (!/^y(es)?$/i.test(answer?.trim() ?? '')) {
      io.print(`\n${unchanged}${io.ask === null ? ` Nobody can be asked: run this again with --yes.` : ''}`);
      return 2;
    }
  }
  io.print('');
  const failed = await makeAll(items, io);
  io.print(failed === 0 ? '\nDone.' : `\n${failed} of ${count} failed; run this again to complete them.`);
  return failed === 0 ? 0 : 1;
}

/** After this many consecutive failures of a helpdesk that does not respond, the rest is not tried. */
const patience = 2;

/** One at a time, since each changes the helpdesk's tables. What fails is said, and the rest goes on. Returns how many failed. */
async function makeAll(items: readonly Item[], io: ItemIo): Promise<number> {
  const failed = new Set<Item>();
  let silent = 0;
  for (const item of items) {
    const { what, make, needs } = item;
    if (!make) continue;
    try {
      if (silent >= patience) throw new StartError('not tried: the helpdesk does not respond');
      if (needs?.items.some((needed) => failed.has(needed))) throw new StartError(`not tried: ${needs.why}`);
      const note = await make();
      silent = 0;
      io.print(`done    ${what}${typeof note === 'string' ? `. ${note}` : ''}`);
    } catch (error) {
      if (!(error instanceof HelpdeskError || error instanceof StartError)) throw error;
      if (error instanceof HelpdeskError) silent = ['unavailable', 'timeout'].includes(error.kind) ? silent + 1 : 0;
      failed.add(item);
      io.print(`FAILED  ${what}: ${error.message}`);
    }
  }
  return failed.size;
}
