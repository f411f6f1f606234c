import { normalizePhone } from '@deskside/shared/phone';
import type { AccountLink, ProfileData } from '@deskside/shared/profile';
import { Copy, Section } from '#panel/parts/rows.tsx';
import { type Texts, useTexts } from '#panel/texts/texts.ts';
import { shownTrust } from '#status/status.ts';
import { IconLink, OutLink } from '#ui/button.tsx';
import { mailtoUrl, safeHttpUrl, telUrl } from '#ui/safe-url.ts';

/** Everybody on the customer's side in a row each; those who only have a platform account are folded away. */
export function People({ profile }: { profile: ProfileData }) {
  const t = useTexts();
  const people = peopleOf(profile, t).filter((person) => !isHead(person, profile));
  const accounts = people.filter(({ roles }) => roles.every((role) => role === 'account'));
  const shown = people.filter((person) => !accounts.includes(person));
  if (people.length === 0) return null;
  const trust = shownTrust(profile);
  const isStranger = (person: Person) =>
    (trust === 'claimed' || trust === 'unknown') &&
    person.roles.every((role) => role === 'sender' || role === 'contact');
  return (
    <Section title={t.people.title}>
      <ul>
        {shown.map((person) => (
          <PersonRow key={person.key} person={person} isStranger={isStranger(person)} />
        ))}
      </ul>
      {accounts.length > 0 && (
        <details>
          <summary className="min-h-6 rounded-sm text-xs leading-6 text-ink-3 hover:text-ink">
            {t.people.moreAccounts(accounts.length)}
          </summary>
          <ul>
            {accounts.map((person) => (
              <PersonRow key={person.key} person={person} isStranger={false} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

/** Whether the panel's head says all that is known of them: without a company and a name, the sender's address stands there. */
function isHead({ name, roles }: Person, { customer, bitrix }: ProfileData): boolean {
  const isSenderHead = bitrix.company === null && (customer === null || bitrix.status === 'missing_orgid');
  return isSenderHead && name === null && roles.includes('sender');
}

/** Initials and name, below them the roles and one address, and while the pointer or the focus is there what can be done with it. */
function PersonRow({ person, isStranger }: { person: Person; isStranger: boolean }) {
  const { people, shell } = useTexts();
  const { roles, name, emails, phones, url, note } = person;
  const address = emails[0] ?? phones[0] ?? null;
  const heading = name ?? address ?? '';
  const words = roles.toSorted((a, b) => strength.indexOf(a) - strength.indexOf(b)).map((role) => people.role[role]);
  const about = [...words, isStranger ? people.notKnown : null, note].filter(Boolean).join(', ');
  const second = [about, name === null || isStranger ? null : address].filter(Boolean).join(' · ');
  const phone = phones.find((one) => telUrl(one) !== null) ?? null;
  const email = emails.find((one) => mailtoUrl(one) !== null) ?? null;
  const page = safeHttpUrl(url);
  return (
    <li className="hosts-copy flex items-start gap-2.5 py-1.5">
      <span aria-hidden="true" className="avatar">
        {initialsOf(heading)}
      </span>
      <div className="min-w-0 flex-1" title={[heading, about, ...emails, ...phones].join('\n')}>
        <div className="flex items-center">
          <p className="min-w-0 flex-1 truncate">
            {page ? (
              <OutLink href={page} className="target block w-fit max-w-full truncate font-medium hover:underline">
                <bdi>{heading}</bdi>
                <span className="sr-only"> ({shell.newTab})</span>
              </OutLink>
            ) : (
              <bdi className="font-medium">{heading}</bdi>
            )}
          </p>
          <span className="can">
            {phone && <IconLink href={telUrl(phone) ?? ''} icon="call" label={shell.call(phone)} />}
            {email && <IconLink href={mailtoUrl(email) ?? ''} icon="mail" label={shell.write(email)} />}
            {address && <Copy text={address} />}
          </span>
        </div>
        <p className="truncate text-ink-2">
          <bdi>{second}</bdi>
        </p>
      </div>
    </li>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@]+/).filter(Boolean);
  const ends = name.includes('@') ? words.slice(0, 1) : [words.at(0), words.length > 1 ? words.at(-1) : undefined];
  return ends.map((word) => [...(word ?? '')].at(0)?.toLocaleUpperCase() ?? '').join('');
}

/** What somebody is to the ticket, most important first. */
const roles = ['sender', 'contact', 'shop_owner', 'crm_contact', 'company', 'account'] as const;
type Role = (typeof roles)[number];

/** The same, by how much each says that they belong to the shop. */
const strength: readonly Role[] = ['shop_owner', 'crm_contact', 'company', 'account', 'contact', 'sender'];

/** A person, or the company's own line, with everything that is known of them, each value once. */
export interface Person {
  key: string;
  roles: Role[];
  name: string | null;
  emails: string[];
  phones: string[];
  url: string | null;
  note: string | null;
}

/** One place that names somebody. */
interface Mention {
  role: Role;
  name?: string | null;
  email?: string | null;
  phones?: (string | null)[];
  url?: string | null;
  note?: string | null;
}

/** Everybody on the customer's side, each once by their address (decision 6: what is beside it). No agent who made the ticket. */
export function peopleOf(profile: ProfileData, t: Texts): Person[] {
  const mentions = mentionsOf(profile, t).filter(
    ({ name, email, phones = [] }) => name || email || phones.some(Boolean),
  );
  const groups = Map.groupBy(mentions, (mention) => emailKey(mention.email) ?? mention);
  return [...groups.values()].map((group) => personOf(group, t)).toSorted((a, b) => rankOf(a) - rankOf(b));
}

function mentionsOf({ ticket, contact, haravan, bitrix }: ProfileData, t: Texts): Mention[] {
  const { company, contact: crmContact } = bitrix;
  const isAgent = agentsOf(bitrix);
  const mentions: Mention[] = [];
  if (!isAgent(ticket.raised_by)) mentions.push({ role: 'sender', email: ticket.raised_by });
  if (!isAgent(contact?.email_id ?? null)) {
    const { full_name, name, email_id, mobile_no, phone } = contact ?? {};
    const known = full_name ?? name ?? ticket.contact;
    mentions.push({
      role: 'contact',
      name: known,
      email: email_id ?? null,
      phones: [mobile_no ?? null, phone ?? null],
    });
  }
  if (company) {
    const { owner_name: name, owner_email: email, owner_phone, company_email, company_phone } = company;
    mentions.push({ role: 'shop_owner', name, email, phones: [owner_phone] });
    const line = company_email || company_phone ? t.people.shopLine : null;
    mentions.push({ role: 'company', name: line, email: company_email, phones: [company_phone] });
  }
  if (crmContact) {
    const { name, email, phone, url, post } = crmContact;
    mentions.push({ role: 'crm_contact', name, email, phones: [phone], url, note: post });
  }
  return [...mentions, ...haravan.map((account) => accountMention(account, company?.company_id ?? null, t))];
}

/** Tells the addresses of agents who gave their word about the company, and so are not its people. */
function agentsOf({ lookup_trust }: ProfileData['bitrix']): (address: string | null) => boolean {
  const words = (lookup_trust?.evidence ?? []).filter(({ code }) => code.endsWith('_agent'));
  return (address) => address !== null && words.some(({ value }) => value === address);
}

function accountMention(account: AccountLink, orgId: string | null, t: Texts): Mention {
  const { email, user, haravan_orgid, haravan_orgname, last_login } = account;
  const lastLogin = last_login?.replace(/^(\d{4})-(\d\d)-(\d\d)\b.*$/, '$3/$2/$1');
  // Of another organisation than the company on screen.
  const elsewhere = haravan_orgid === orgId ? [] : [haravan_orgname, haravan_orgid];
  const note = [...elsewhere, lastLogin ? t.people.lastLogin(lastLogin) : null].filter(Boolean).join(', ');
  return { role: 'account', email: email ?? user, note: note || null };
}

function personOf(group: readonly Mention[], t: Texts): Person {
  const mentions = group.toSorted((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role));
  const emails = mentions.flatMap(({ email }) => email ?? []);
  // Who wrote is called as the ticket's contact is, whoever else the company's records have with this address.
  const [name = null, ...others] = mentions
    .filter((mention) => mention.role !== 'contact' || !isFromAddress(mention))
    .toSorted(
      (a, b) => Number(b.role === 'contact') - Number(a.role === 'contact') || wordsOf(b.name) - wordsOf(a.name),
    )
    .flatMap((mention) => mention.name ?? []);
  const isOther = (other: string) =>
    other !== t.people.shopLine && other.normalize().toLowerCase() !== name?.normalize().toLowerCase();
  const inCrm = others.find(isOther);
  const phones = mentions.flatMap((mention) => (mention.phones ?? []).filter((phone) => phone !== null));
  const notes = [inCrm && t.people.inCrm(inCrm), ...mentions.map(({ note }) => note)];
  const known = [...new Set(mentions.map(({ role }) => role))];
  return {
    key: `${known[0]} ${emails[0] ?? name ?? ''}`,
    roles: known,
    name,
    emails: onceEach(emails, emailKey),
    phones: onceEach(phones, normalizePhone),
    url: mentions.find(({ url }) => url)?.url ?? null,
    note: notes.filter(Boolean).join(', ') || null,
  };
}

/** A name that the helpdesk took from the address, as it does where a mail has none. */
function isFromAddress({ name, email }: Mention): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\d@]/gu, '');
  return !name || name.includes('@') || plain(name) === plain(email?.split('@')[0] ?? '');
}

/** The first text of each that compares equal. */
function onceEach(texts: readonly string[], keyOf: (text: string) => string | null): string[] {
  return [...Map.groupBy(texts, (text) => keyOf(text) ?? text).values()].flatMap(([first]) => first ?? []);
}

function wordsOf(name: string | null | undefined): number {
  return name?.split(' ').length ?? 0;
}

function rankOf({ roles: [first] }: Person): number {
  return first ? roles.indexOf(first) : roles.length;
}

/** An email address such that different spellings compare equal. Null if it is none. */
function emailKey(text: string | null | undefined): string | null {
  const address = text?.trim().toLowerCase() ?? '';
  return address.includes('@') ? address : null;
}
