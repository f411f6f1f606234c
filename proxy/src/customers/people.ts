import { addressesIn } from '@deskside/shared/mail-address';
import { parseOrgId } from '@deskside/shared/orgid';
import type { Work } from '#context.ts';
import type { DeskCustomer } from '#helpdesk/whole.ts';
import * as deskList from '#store/desk-list.ts';
import * as syncs from '#store/syncs.ts';
import { isNoReply } from '#trust/evidence.ts';

// Whom the desk knows for a customer's people, and whom an operator has accepted (docs/operate.md#customers-made-by-hand).

/** A customer that an operator has made a company, with those who are on the desk's list for it. */
export interface AcceptedCustomer extends Pick<syncs.Adoption, 'customer' | 'companyName' | 'orgId' | 'by' | 'at'> {
  listed: string[];
}

/**
 * The addresses by which the desk knows a customer's people, as mail compares them: none of a customer that a website user
 * may write, none from a contact that is not the desk's, and none that stands at another customer as well.
 */
export function peopleOfAll(
  customers: readonly Pick<DeskCustomer, 'name' | 'isDesks' | 'members'>[],
): Map<string, string[]> {
  const at = new Map<string, Set<string>>();
  const found = customers.map(({ name, isDesks, members }) => {
    const addresses = new Set<string>();
    for (const { emails, isDesks: byDesk } of members)
      for (const address of emails.flatMap(addressesIn)) {
        at.set(address, (at.get(address) ?? new Set()).add(name));
        if (isDesks && byDesk && !isNoReply(address)) addresses.add(address);
      }
    return { name, addresses };
  });
  const isAlone = (address: string) => at.get(address)?.size === 1;
  return new Map(found.map(({ name, addresses }) => [name, [...addresses].filter(isAlone).toSorted()]));
}

/** The customers that were accepted and still stand for the company. */
export async function acceptedCustomers({ db }: Work, customers: readonly DeskCustomer[]): Promise<AcceptedCustomer[]> {
  const orgIds = new Map(customers.map(({ name, orgId }) => [name, orgId]));
  const listed = Map.groupBy(await deskList.listedPeople(db), ({ customer }) => customer);
  const accepted = (await syncs.standingAdoptions(db)).filter(
    ({ via, customer, orgId }) => via === 'match' && orgIds.get(customer) === orgId,
  );
  return accepted.map(({ customer, companyName, orgId, by, at }) => {
    const ofCompany = (listed.get(customer) ?? []).filter((person) => person.orgId === orgId);
    const addresses = ofCompany.map(({ address }) => address).toSorted();
    return { customer, companyName, orgId, by, at, listed: addresses };
  });
}

/** What `accept` reads of a row. */
export type AcceptRow = Record<'customer' | 'people' | 'org id', string>;

/**
 * The addresses in each row's column `people`, in lower case, and what is wrong with one of them. An address of an account of
 * the desk is nobody's, and one stands for one company alone. Throws HelpdeskError.
 */
export async function readPeople<Row extends AcceptRow>(
  { helpdesk, db, signal }: Work,
  rows: readonly Row[],
): Promise<Map<Row, { addresses: string[]; fault: string | null }>> {
  const companies = new Map<string, Set<string>>();
  const note = (address: string, orgId: string) =>
    companies.set(address, (companies.get(address) ?? new Set()).add(orgId));
  // What stands for a customer of the table is replaced.
  const replaced = new Set(rows.map(({ customer }) => customer));
  for (const { address, customer, orgId } of await deskList.listedPeople(db))
    if (!replaced.has(customer)) note(address, orgId);
  const read = rows.map((row) => {
    const parts = row.people.split(/[,;\r\n]+/).filter((part) => part.trim() !== '');
    const addresses = [...new Set(parts.flatMap(addressesIn))];
    for (const address of addresses) note(address, parseOrgId(row['org id']) ?? row['org id']);
    return { row, addresses, wrong: parts.find((part) => addressesIn(part).length === 0) };
  });
  const isAny = read.some(({ addresses }) => addresses.length > 0);
  const desk = isAny ? await helpdesk.whole.deskUsers(signal) : new Set<string>();
  const faultOf = (addresses: readonly string[]) => {
    const ofDesk = addresses.find((address) => desk.has(address));
    if (ofDesk !== undefined) return `${ofDesk} is an account of the desk`;
    const shared = addresses.find((address) => (companies.get(address)?.size ?? 0) > 1);
    return shared === undefined ? null : `${shared} is listed for two companies`;
  };
  return new Map(
    read.map(({ row, addresses, wrong }) => {
      const fault = wrong === undefined ? faultOf(addresses) : `${wrong.trim()} is no e-mail address`;
      return [row, { addresses, fault: fault && `column "people": ${fault}` }];
    }),
  );
}
