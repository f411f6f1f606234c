import { invisible } from './text.ts';

const sign = String.raw`[^\s\p{Cc}<>()[\]"“”,;:/\\@]`;
const domain = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}.-]{0,252}[\p{L}\p{M}\p{N}])?`;
const anyAddress = new RegExp(`(?<!${sign})(${sign}{1,64})@(${domain})`, 'gu');
const oneAddress = new RegExp(`^(${sign}{1,64})@(${domain})$`, 'u');

/** An address as mail compares it: without regard to case, its domain as IDNA writes it in ASCII; null if it is none. */
function addressOf(local: string, domain: string): string | null {
  // An address of a machine would be written anew, and a name of one stays as it is.
  if (/(?:^|\.)\d[^.]*$/.test(domain) || !URL.canParse(`http://${domain}`)) return null;
  return `${local.toLowerCase()}@${new URL(`http://${domain}`).hostname}`;
}

/**
 * All mail addresses in a value that people wrote in the CRM: several in one, with names, `mailto:`, a dot behind or signs
 * that nobody sees. Each once, as mail compares it.
 */
export function addressesIn(text: string): string[] {
  const written = text.replace(invisible, '').normalize('NFKC');
  const unquoted = written.replace(/(?<![^\s,;/<(:])['’.]+/gu, '');
  const found = [...unquoted.matchAll(anyAddress)].flatMap(([, name = '', host = '']) => addressOf(name, host) ?? []);
  return [...new Set(found)];
}

/**
 * The address, or account, that a ticket's `raised_by` stands for: an address alone or behind a name, as the helpdesk reads
 * it. It is compared by case and IDNA and nothing else. Null for nobody, and for more than one address, a sign that nobody
 * sees, or one of odd width or form: it could be meant to look like another's.
 */
export function senderIn(raisedBy: string | null): string | null {
  const written = raisedBy?.trim() ?? '';
  if (written === '' || written.search(invisible) >= 0 || written.normalize('NFKC') !== written.normalize('NFC'))
    return null;
  if (!written.includes('@')) return written.toLowerCase();
  const [, behind, alone = ''] = /^(?:[^<>@]*<([^<>]*)>|([^<>]*))$/u.exec(written) ?? [];
  const address = behind ?? alone;
  const [, name, host] = (address === address.normalize('NFC') && oneAddress.exec(address)) || [];
  return name === undefined || host === undefined ? null : addressOf(name, host);
}

/** Whether the account is this sender's: accounts are called by their addresses alone. */
export function isAccountOf(sender: string, account: string): boolean {
  return !account.includes('<') && senderIn(account) === sender;
}
