import type { OrgId } from '@deskside/shared/orgid';

/** Whose data is to be deleted. */
export type PurgeSubject =
  | { kind: 'email'; value: string }
  | { kind: 'org_id'; value: OrgId }
  | { kind: 'ticket'; value: string };

/** Below this many digits an org id could be any number, part of a date for example. */
const unmistakable = 6;

/**
 * Whether a text, plain or JSON, names the subject: the address or the id as a whole, or one of the customers' names.
 * What only looks alike does not count: `an@shop.example` is not `lan@shop.example`, nor is 20000 2000012.
 *
 * @param customers names of the subject's customers
 */
export function namesSubject(subject: PurgeSubject, customers: readonly string[]): (text: string) => boolean {
  if (subject.kind === 'ticket') return () => false;
  const pattern = subject.kind === 'email' ? emailPattern(subject.value) : orgIdPattern(subject.value);
  const names = customers.map((name) => ({ name, quoted: JSON.stringify(name) }));
  return (text) => pattern.test(text) || names.some(({ name, quoted }) => text === name || text.includes(quoted));
}

function emailPattern(email: string): RegExp {
  const before = String.raw`(?<![\p{L}\p{N}._%+'-])`;
  const after = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`;
  return new RegExp(`${before}${RegExp.escape(email)}${after}`, 'iu');
}

function orgIdPattern(id: OrgId): RegExp {
  if (id.length >= unmistakable) return new RegExp(`(?<!\\d)${id}(?!\\d)`);
  return new RegExp(`(?:^|")${id}(?:$|"| - )| - ${id}(?:$|")`);
}

/** What stands in place of an agent's address. */
export const removed = 'removed';
const agentKeys: ReadonlySet<string> = new Set(['agent', 'user', 'owner', 'responsible']);
const agentEvidence: ReadonlySet<unknown> = new Set(['linked_by_agent', 'entered_by_agent']);

/**
 * A record, as JSON, without the subject where it stands for an agent: who was chosen, who could have been, who gave
 * their word, who made the ticket. The record stays true about the ticket's own company. Null if the subject is named anywhere else too.
 */
export function withoutAgent(record: string, names: (text: string) => boolean): string | null {
  const isNamed = (value: unknown) => typeof value === 'string' && names(value);
  const cleaned: unknown = JSON.parse(record, (key, value: unknown) => {
    if (agentKeys.has(key) && isNamed(value)) return removed;
    if (typeof value !== 'object' || value === null || !('code' in value) || !('value' in value)) return value;
    return agentEvidence.has(value.code) && isNamed(value.value) ? { ...value, value: removed } : value;
  });
  const text = JSON.stringify(cleaned);
  return names(text) ? null : text;
}
