import { HelpdeskError } from '#helpdesk/errors.ts';

/** One thing in the helpdesk, or in a file of ours, that a command brings into its state. */
export interface Item {
  /** Such as `HD Ticket.custom_orgid` or `Webhook "…"`. */
  what: string;
  /**
   * `conflict`: left as it is although it does not fit; the detail says what to do. `unseen`: only a System Manager's key shows
   * it.
   */
  state: 'exists' | 'create' | 'change' | 'delete' | 'conflict' | 'unseen';
  /** Holds no secret. */
  detail: string;
  /** Does it; a text that it returns is worth telling. Null where nothing is to be done. */
  make: (() => Promise<unknown>) | null;
  /** It is not tried where one of these has failed. */
  needs?: { items: readonly Item[]; why: string };
}

/** `plan` only shows the items; `ask` asks for confirmation; `yes` does not. */
export type Mode = 'plan' | 'ask' | 'yes';

/** Where a command says what it does, and asks. */
export interface ItemIo {
  print(text: string): void;
  /** Asks the operator at the terminal, '' at the end of input; null if there is none. */
  ask: ((question: string) => Promise<string>) | null;
}

/** The request cannot be carried out on this site; the message says why and what to do. */
export class ProvisionError extends Error {
  override readonly name = 'ProvisionError';
}

export const exists = (what: string, detail = ''): Item => ({ what, state: 'exists', detail, make: null });
export const conflict = (what: string, detail: string): Item => ({ what, state: 'conflict', detail, make: null });
export const unseen = (what: string): Item => ({
  what,
  state: 'unseen',
  detail: "a System Manager's key shows it",
  make: null,
});

export const isToBeDone = ({ make }: Item): boolean => make !== null;

/** Whether the operator says yes; no where there is nobody to ask. */
async function confirms({ ask }: Pick<ItemIo, 'ask'>, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask?.(question))?.trim() ?? '');
}

/**
 * Shows the items, asks, carries them out, and says what came of it.
 *
 * @param warnings what the operator should know before agreeing
 * @returns the exit code: 0 done, nothing to do or only shown; 1 something failed; 2 not confirmed; and how many were done
 */
export async function carryOut(
  items: readonly Item[],
  warnings: readonly string[],
  io: ItemIo,
  mode: Mode,
): Promise<{ code: 0 | 1 | 2; done: number }> {
  io.print(printItems(items, warnings));
  const { length } = items.filter(isToBeDone);
  const count = length === 1 ? '1 change' : `${length} changes`;
  if (length === 0) {
    const some = items.some(({ state }) => state === 'unseen') ? ' in what can be seen' : '';
    io.print(`\nNothing to do${some}.`);
    return { code: 0, done: 0 };
  }
  if (mode === 'plan') {
    io.print(`\nThis was only the plan: ${count}, none made.`);
    return { code: 0, done: 0 };
  }
  if (mode === 'ask' && io.ask === null) {
    const need = `${count} ${length === 1 ? 'needs' : 'need'} confirmation`;
    io.print(`\nNothing was changed: ${need}, which is not possible here. Run this again with --yes.`);
    return { code: 2, done: 0 };
  }
  if (mode === 'ask' && !(await confirms(io, `\nMake ${length === 1 ? 'this change' : `these ${count}`}? [y/N] `))) {
    io.print('Nothing was changed.');
    return { code: 2, done: 0 };
  }
  io.print('');
  const failed = await makeAll(items, io);
  io.print(failed === 0 ? '\nDone.' : `\n${failed} of ${count} failed; run this again to complete them.`);
  return { code: failed === 0 ? 0 : 1, done: length - failed };
}

const words: Record<Item['state'], string> = {
  exists: 'exists',
  create: 'will be created',
  change: 'will be changed',
  delete: 'will be deleted',
  conflict: 'CONFLICT',
  unseen: 'cannot be seen',
};

/** The items as a table of aligned columns, then the warnings. */
function printItems(items: readonly Item[], warnings: readonly string[]): string {
  const rows = items.map((item) => [words[item.state], item.what, item.detail]);
  const table = rows.length > 0 ? [['State', 'What', 'Detail'], ...rows] : [];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...warnings.flatMap((warning) => ['', `Warning: ${warning}`])].join('\n');
}

/** After this many consecutive failures of a helpdesk that does not respond, the rest is not tried. */
const patience = 2;

/** One at a time, since each changes the helpdesk's tables. What fails is said, and the rest goes on. Returns how many failed. */
async function makeAll(items: readonly Item[], io: ItemIo): Promise<number> {
  const failed = new Set<Item>();
  let silent = 0;
  for (const item of items) {
    const { what, make, needs } = item;
    if (make === null) continue;
    const fail = (why: string) => {
      failed.add(item);
      io.print(`FAILED  ${what}: ${why}`);
    };
    if (silent >= patience) fail('not tried: the helpdesk does not respond');
    else if (needs?.items.some((needed) => failed.has(needed))) fail(`not tried: ${needs.why}`);
    else
      try {
        const note = await make();
        silent = 0;
        io.print(`done    ${what}${typeof note === 'string' ? `. ${note}` : ''}`);
      } catch (error) {
        if (!(error instanceof HelpdeskError || error instanceof ProvisionError)) throw error;
        const isSilent = error instanceof HelpdeskError && ['unavailable', 'timeout'].includes(error.kind);
        silent = isSilent ? silent + 1 : 0;
        fail(error.message);
      }
  }
  return failed.size;
}
