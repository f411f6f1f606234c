import { HelpdeskError } from '#helpdesk/helpdesk.ts';
import { type HelpdeskReader, isOn } from './helpdesk-reader.ts';

const doctype = 'Website Settings';

/**
 * Whether the helpdesk lets anybody sign up (docs/helpdesk.md#signing-up); null if this key may not know. Throws
 * HelpdeskError for anything else.
 */
export async function readSignUp(admin: Pick<HelpdeskReader, 'get'>, signal: AbortSignal): Promise<boolean | null> {
  const settings = await admin.get(doctype, doctype, signal).catch((error: unknown) => {
    if (error instanceof HelpdeskError && error.kind === 'forbidden') return null;
    throw error;
  });
  return settings && !isOn(settings.disable_signup);
}
