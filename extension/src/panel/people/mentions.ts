import type { AccountLink, ProfileData } from '@deskside/shared/profile';
import type { Texts } from '#i18n/panel/texts.ts';
import { personName } from '#panel/rows/person-name.ts';
import type { Part } from '#panel/rows/row.ts';
import { mailtoUrl, safeHttpUrl, telUrl } from '#ui/links/safe-url.ts';
import type { Mention } from './person.ts';

/** Everybody whom the profile names on the customer's side, once per place that names them; no agent who made the ticket. */
export function mentionsOf({ ticket, contact, haravan, bitrix }: ProfileData, t: Texts): Mention[] {
  const { company, contact: crmContact } = bitrix;
  const mentions: Mention[] = [];
  const isAgent = agentsOf(bitrix);
  if (!isAgent(ticket.raised_by))
    mentions.push({
      ...{ key: 'sender', role: 'sender', isClaim: true, name: null, phones: [], notes: [] },
      email: emailPart('hd.raised_by', ticket.raised_by),
    });
  if (!isAgent(contact?.email_id ?? null))
    mentions.push({
      ...{ key: 'contact', role: 'contact', isClaim: true, notes: [] },
      name: nameOf('hd.contact.name', contact?.full_name ?? contact?.name ?? ticket.contact),
      email: emailPart('hd.contact.email', contact?.email_id ?? null),
      phones: [
        phonePart('hd.contact.phone', contact?.mobile_no ?? null),
        phonePart('hd.contact.phone2', contact?.phone ?? null),
      ],
    });
  if (company)
    mentions.push({
      ...{ key: 'shop_owner', role: 'shop_owner', isClaim: false, notes: [] },
      name: nameOf('shop.owner.name', company.owner_name),
      email: emailPart('shop.owner.email', company.owner_email),
      phones: [phonePart('shop.owner.phone', company.owner_phone)],
    });
  if (crmContact)
    mentions.push({
      ...{ key: 'crm_contact', role: 'crm_contact', isClaim: false },
      name: { ...nameOf('crm.contact.name', crmContact.name), href: safeHttpUrl(crmContact.url) },
      email: emailPart('crm.contact.email', crmContact.email),
      phones: [phonePart('crm.contact.phone', crmContact.phone)],
      notes: [
        { key: 'crm.contact.post', text: crmContact.post, tone: 'muted' },
        {
          key: 'crm.contact.why',
          text: crmContact.chosen_by === 'first' ? t.people.firstContact : null,
          tone: 'muted',
        },
      ],
    });
  return [...mentions, ...haravan.map((account, at) => accountMention(account, at, company?.company_id ?? null, t))];
}

/** Tells the addresses of agents who gave their word about the company, and so are not its people. */
function agentsOf({ lookup_trust }: ProfileData['bitrix']): (address: string | null) => boolean {
  const words = (lookup_trust?.evidence ?? []).filter(({ code }) => code.endsWith('_agent'));
  return (address) => address !== null && words.some(({ value }) => value === address);
}

function accountMention(account: AccountLink, at: number, orgId: string | null, t: Texts): Mention {
  const id = `accounts.${account.haravan_orgid ?? ''}.${account.haravan_userid ?? at}`;
  const seen = account.last_login?.replace(/^(\d{4})-(\d\d)-(\d\d)\b.*$/, '$3/$2/$1');
  return {
    ...{ key: id, role: 'account', isClaim: false, name: null, phones: [] },
    email: emailPart(`${id}.email`, account.email ?? account.user),
    notes: [
      // Of another organisation than the company on screen.
      { key: `${id}.org`, text: account.haravan_orgid === orgId ? null : organisationOf(account), tone: 'muted' },
      { key: `${id}.seen`, text: seen ? t.fields.lastLogin(seen) : null, tone: 'muted' },
    ],
  };
}

function organisationOf({ haravan_orgname: name, haravan_orgid: orgId }: AccountLink): string | null {
  return [name, orgId].filter(Boolean).join(' ') || null;
}

function nameOf(key: string, text: string | null): Part {
  return { key, text: text && personName(text) };
}

function emailPart(key: string, text: string | null): Part {
  return { key, text, href: mailtoUrl(text), copies: true };
}

function phonePart(key: string, text: string | null): Part {
  return { key, text, href: telUrl(text), copies: true };
}
