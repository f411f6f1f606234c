import { normalizePhone } from '@deskside/shared/phone';
import { orgIdInName } from '#intake/org-id.ts';
import type { Mark } from './match-customer.ts';
import { hostOf } from './match-customer.ts';
import { coreName, plainDomain } from './plain-name.ts';

/** What the desk knows of a customer. `isDesks`: no website user can have written it. */
export interface KnownCustomer {
  name: string;
  domain: string;
  /** Of name, domain and membership. */
  isDesks: boolean;
  members: readonly { emails: readonly string[]; phones: readonly string[]; isDesks: boolean }[];
}

/**
 * By what each customer may be known to be a company. A domain where anybody can have an address or a page says nothing.
 *
 * @param isAnybodys of a host in lower case
 */
export function marksOfAll(
  customers: readonly KnownCustomer[],
  isAnybodys: (host: string) => boolean,
): Map<string, Mark[]> {
  const marks = new Map(customers.map((customer) => [customer.name, marksOf(customer, isAnybodys)]));
  const owners = new Map<string, Set<string>>();
  for (const [name, own] of marks)
    for (const mark of own) owners.set(keyOf(mark), (owners.get(keyOf(mark)) ?? new Set()).add(name));
  for (const mark of [...marks.values()].flat()) mark.isShared = (owners.get(keyOf(mark))?.size ?? 0) > 1;
  return marks;
}

function marksOf({ name, domain, isDesks, members }: KnownCustomer, isAnybodys: (host: string) => boolean): Mark[] {
  const found = new Map<string, Mark>();
  const add = (code: Mark['code'], value: string | null, byDesk: boolean) => {
    if (value === null || value === '') return;
    const mark = { code, value, isShared: false, isDesks: byDesk };
    const known = found.get(keyOf(mark));
    if (known) known.isDesks ||= byDesk;
    else found.set(keyOf(mark), mark);
  };
  const host = (text: string) => (isAnybodys(text) ? null : text);
  add('org_id_in_name', orgIdInName(name), isDesks);
  for (const { emails, phones, isDesks: byDesk } of members) {
    for (const written of emails) {
      const email = written.trim().toLowerCase();
      if (!/^[^@\s]+@[^@\s]+$/.test(email)) continue;
      add('member_address', email, isDesks && byDesk);
      add('same_domain', host(hostOf(email)), isDesks && byDesk);
    }
    for (const phone of phones) add('member_phone', normalizePhone(phone), isDesks && byDesk);
  }
  add('same_domain', host(plainDomain(domain)), isDesks);
  add('same_name', name, isDesks);
  return [...found.values()];
}

/** Marks of one key are the same thing. */
function keyOf({ code, value }: Mark): string {
  return JSON.stringify(code === 'same_name' ? [code, coreName(value)] : [code, value]);
}
