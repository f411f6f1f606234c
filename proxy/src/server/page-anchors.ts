import { statSync } from 'node:fs';
import { PageAnchors } from '@deskside/shared/page-anchors';
import * as z from 'zod';
import { readTextFile } from '#config.ts';
import type { Logger } from '#runtime/log.ts';

/** The longest that is read, in bytes: the list goes to every extension. */
const maxBytes = 8_192;

/** The file as an operator writes it: a key that is none is a slip, and said. */
const File = z.strictObject(PageAnchors.shape);

/**
 * The operator's selectors for a helpdesk page that has changed (docs/operate.md#after-an-update-of-the-helpdesk).
 * @param file `anchors.json` beside the file of rules, which need not be there; null: there is no such file of rules
 * @returns undefined if there are none; what is wrong with a file is logged once, and the file counts as none
 */
export function readPageAnchors(file: string | null, logger: Pick<Logger, 'warn'>): PageAnchors | undefined {
  const wrong = (problem: string): undefined => {
    logger.warn({ file, problem }, 'The list of page anchors cannot be used and counts as none');
  };
  const size = file === null ? undefined : statSync(file, { throwIfNoEntry: false })?.size;
  if (file === null || size === undefined) return undefined;
  if (size > maxBytes) return wrong(`it has ${size} bytes, at most ${maxBytes} are read`);
  try {
    const { data, error } = File.safeParse(JSON.parse(readTextFile(file)));
    return data ?? wrong(z.prettifyError(error).replaceAll('\n', ' '));
  } catch (error) {
    return wrong(
      error instanceof SyntaxError ? 'it is not JSON' : error instanceof Error ? error.message : 'unreadable',
    );
  }
}
