import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import { formerPhone } from '@deskside/shared/phone';
import { foldText } from '@deskside/shared/text';
import * as z from 'zod';
import { orgIdInName } from '#intake/org-id.ts';
import { type Marks, matchReasons, type Reading } from '#intake/read-query.ts';
import { customerFieldOf } from './fields.ts';
import { among, type Frappe, type ListQuery } from './frappe.ts';
import { type Credential, type SiteFields, SitePart } from './site.ts';
import { textOf } from './text.ts';

/** A customer of the helpdesk that a search came upon. */
export interface CustomerHit {
  name: string;
  orgId: OrgId | null;
  crmId: string | null;
  plan: string | null;
  marks: Marks;
}

/** Customers that a search came upon. `isCut`: there are more than the helpdesk was asked to list. */
export interface CustomerSearchResult {
  customers: CustomerHit[];
  isCut: boolean;
}

/** More than are ever shown, because some of them may not match. */
const limit = 50;

const Row = z.looseObject({ name: z.string() });
type Row = z.output<typeof Row>;
type ContactPerson = Marks['people'][number];

/** The helpdesk as the caller, who finds only what they may list. */
interface SearchAccess {
  frappe: Frappe;
  fields: SiteFields;
  signal: AbortSignal;
}

/** Searches HD Customer by what an agent typed. */
export class CustomerSearch extends SitePart {
  /**
   * Searches as the caller: by the customers' own fields in one request, and for an e-mail address or telephone number
   * also by their contacts, in two. Throws HelpdeskError, `forbidden` if the caller may list no customers.
   */
  async searchAs(caller: Credential, readings: readonly Reading[], signal: AbortSignal): Promise<CustomerSearchResult> {
    const frappe = this.site.as(caller);
    return this.site.withFields(signal, async (fields) => {
      const searching = { frappe, fields, signal };
      const [rows, ofPeople] = await Promise.all([byOwnFields(searching, readings), byContacts(searching, readings)]);
      const isCut = rows.length === limit || ofPeople.rows.length === limit;
      const hits = [
        ...rows.map((row) => toHit(row, [])),
        ...ofPeople.rows.map((row) => toHit(row, ofPeople.peopleOf(row))),
      ].filter(({ marks }) => matchReasons(readings, marks).length > 0);
      const once = new Map(hits.map((hit) => [hit.name, hit]));
      return { customers: [...once.values()], isCut };
    });
  }
}

/** Names of HD Customer's columns that are shown or searched, as far as the site has them; by `modified` they are ordered. */
function columns({ fields }: SearchAccess): string[] {
  const named = ['platformOrgId', 'myplatform', 'crmCompanyId', 'shopPlan'] as const;
  const wanted = [...named.map((fact) => customerFieldOf[fact]), 'domain', 'email_id', 'mobile_no'];
  return ['name', 'modified', ...wanted.filter((field) => fields.has('HD Customer', field))];
}

function list(searching: SearchAccess, query: Pick<ListQuery, 'filters' | 'orFilters'>, more: string[] = []) {
  const asked = { fields: [...columns(searching), ...more], orderBy: 'modified desc, name asc', limit, ...query };
  return searching.frappe.list('HD Customer', asked, Row, searching.signal);
}

async function byOwnFields(searching: SearchAccess, readings: readonly Reading[]): Promise<Row[]> {
  const known = new Set(columns(searching));
  const conditions = readings.flatMap(conditionsFor);
  const orFilters = conditions.filter(([field]) => known.has(field));
  return orFilters.length === 0 ? [] : list(searching, { filters: [], orFilters });
}

function conditionsFor({ kind, value }: Reading): [field: string, operator: '=' | 'like', value: string][] {
  switch (kind) {
    case 'org_id':
      return [
        [customerFieldOf.platformOrgId, '=', value],
        ['name', 'like', `%${value}%`],
      ];
    case 'name':
      return spellingsOf(value).map((spelling) => ['name', 'like', `%${spelling}%`]);
    case 'shop_address':
      return ['domain', customerFieldOf.myplatform, 'name'].map((field) => [field, 'like', `%${value}%`]);
    case 'email':
      return [['email_id', '=', value]];
    case 'phone':
      return [['mobile_no', 'like', spelledAnyhow(value)]];
  }
}

/**
 * Customers whose contacts have the address or number. From 1.28 on a customer lists its contacts, before that a Contact
 * links itself to customers (docs/helpdesk.md#contacts). Here that proves nothing, it only finds.
 */
async function byContacts(searching: SearchAccess, readings: readonly Reading[]) {
  const { frappe, fields, signal } = searching;
  const reach = readings.find(({ kind }) => kind === 'email' || kind === 'phone');
  const nobody = { rows: [] as Row[], peopleOf: (): ContactPerson[] => [] };
  if (reach === undefined) return nobody;
  const isEmail = reach.kind === 'email';
  const hasMembers = fields.has('HD Customer', 'contacts');
  const links = hasMembers ? [] : ['links.link_doctype as link_doctype', 'links.link_name as link_name'];
  const query = {
    fields: ['name', 'full_name', `${isEmail ? 'email_ids.email_id' : 'phone_nos.phone'} as found`, ...links],
    filters: [
      isEmail
        ? ['Contact Email', 'email_id', '=', reach.value]
        : ['Contact Phone', 'phone', 'like', spelledAnyhow(reach.value)],
    ],
    limit,
  };
  const people = await frappe.list('Contact', query, Row, signal);
  const personOf = (row: Row): ContactPerson => {
    const found = [textOf(row.found)].flatMap((one) => one ?? []);
    return { name: textOf(row.full_name), emails: isEmail ? found : [], phones: isEmail ? [] : found };
  };
  const linkedTo = (row: Row) => (row.link_doctype === 'HD Customer' ? textOf(row.link_name) : null);
  const names = [...new Set(people.flatMap((row) => (hasMembers ? row.name : (linkedTo(row) ?? []))))];
  const rows = await among(names, (some) =>
    hasMembers
      ? list(searching, { filters: [['HD Customer Member', 'contact_name', 'in', some]] }, [
          'contacts.contact_name as member',
        ])
      : list(searching, { filters: [['name', 'in', some]] }),
  );
  return {
    rows,
    peopleOf: (customer: Row) =>
      people
        .filter((row) => (hasMembers ? row.name === customer.member : linkedTo(row) === customer.name))
        .map(personOf),
  };
}

function toHit(row: Row, people: ContactPerson[]): CustomerHit {
  const text = (field: string) => textOf(row[field]);
  const all = (...fields: string[]) => fields.flatMap((field) => text(field) ?? []);
  const orgId = parseOrgId(row[customerFieldOf.platformOrgId]) ?? orgIdInName(row.name);
  return {
    name: row.name,
    orgId,
    crmId: text(customerFieldOf.crmCompanyId),
    plan: text(customerFieldOf.shopPlan),
    marks: {
      orgIds: orgId === null ? [] : [orgId],
      names: [row.name],
      addresses: all('domain', customerFieldOf.myplatform),
      emails: all('email_id'),
      phones: all('mobile_no'),
      people,
    },
  };
}

/** So many letters tell a name by their order alone. */
const tellingLetters = 8;
/** Beside fewer letters a sign that stands for any would find too much. */
const fewestLetters = 3;
/** To LIKE an accent written as a sign of its own is any sign that is not seen, and a soft hyphen is itself. */
const unseenSigns = ['\u0300', '\u00ad'];

/**
 * Patterns by which the database finds a name however it is written: an accent within its letter is nothing to it, Đ, Ð and
 * Ɖ are letters of their own, and so is what nobody sees (docs/helpdesk.md#names). What comes is compared again.
 */
function spellingsOf(name: string): string[] {
  const words = foldText(name).split(/[^\p{L}\p{N}]+/u);
  const written = words.filter((word) => word !== '').join('%');
  const letters = [...written.replaceAll('%', '')];
  const anyD = (text: string) => text.replaceAll('d', '_');
  const isTold = letters.filter((letter) => letter !== 'd').length >= fewestLetters;
  const whole = isTold ? [anyD(written)] : withEveryD(written);
  if (letters.length >= tellingLetters) return [...whole, anyD(letters.join('%'))];
  const parted = letters.slice(1).flatMap((_, at) => {
    const [before, after] = [letters.slice(0, at + 1), letters.slice(at + 1)];
    return unseenSigns.map((sign) => anyD(`${before.join('%')}${sign}%${after.join('%')}`));
  });
  return [...whole, ...parted];
}

/** A text with each of the letters that a `d` may be; from the third on any sign. */
function withEveryD(text: string): string[] {
  const [first = '', ...parts] = text.split('d');
  const append = (spellings: string[], part: string, at: number) =>
    spellings.flatMap((spelling) => (at < 2 ? ['d', 'đ', 'ð', 'ɖ'] : ['_']).map((letter) => spelling + letter + part));
  return parts.reduce(append, [first]);
}

/** A pattern for a number, whatever stands between its digits and in front of them, its former prefix too. */
function spelledAnyhow(national: string): string {
  const digits = formerPhone(national) === null ? national.replace(/^0+/, '') : national.slice(3);
  return `%${[...digits].join('%')}%`;
}
