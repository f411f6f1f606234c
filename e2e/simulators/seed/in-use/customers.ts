import { staffEmail } from '#seed/helpdesk-teams.ts';
import type { Random } from '#seed/random.ts';
import type { WorldTime } from '#seed/time.ts';
import type { HelpdeskDocument, HelpdeskSeed, HelpdeskUserSeed } from '#seed/types.ts';
import type { Person } from './companies.ts';

/** Somebody whom the desk, or somebody on the portal, has written down. */
export interface Member extends Partial<Person> {
  /** The account that made the Contact; by default one of the desk. */
  by?: string;
}

/** A customer that somebody made by hand. */
export interface HandMade {
  name: string;
  domain?: string;
  members: readonly Member[];
  /** Whose it really is; null: nobody's that the CRM knows. */
  truth: string | null;
  /** What makes it hard, or not. */
  kind: string;
  /** What a sender has typed on a ticket of theirs. */
  typed?: string;
}

/** Writes customers made by hand into the helpdesk, with their contacts and tickets. */
export function customerWriter(helpdesk: HelpdeskSeed, at: WorldTime, random: Random, seed: number) {
  const truth: Record<string, { orgId: string | null; kind: string }> = {};
  const documents = (doctype: string) => {
    const list = helpdesk.documents[doctype] ?? [];
    helpdesk.documents[doctype] = list;
    return list;
  };
  const contactNames = new Set(documents('Contact').map(({ name }) => name));
  let tickets = 80_000 + seed * 2_000;

  function contact({ name = 'Khách', email, phone, by = staffEmail('an') }: Member, link: string): string {
    let title = `${name}-${link}`;
    for (let n = 1; contactNames.has(title); n += 1) title = `${name}-${link}-${n}`;
    contactNames.add(title);
    const written = phone && random.pick([phone, `+84 ${phone.slice(1)}`, `${phone.slice(0, 4)}.${phone.slice(4)}`]);
    const [last_name, ...first] = name.split(' ');
    documents('Contact').push({
      ...{
        name: title,
        owner: by,
        modified_by: by,
        creation: at.site(6_000 - contactNames.size),
        modified: at.site(900),
      },
      ...{ docstatus: 0, idx: 0, first_name: first.join(' '), last_name, full_name: name, status: 'Passive' },
      ...{ email_id: email ?? null, phone: written ?? '', mobile_no: '', user: null },
      email_ids: email === undefined ? [] : [{ email_id: email, is_primary: 1 }],
      phone_nos: written === undefined ? [] : [{ phone: written, is_primary_phone: 1, is_primary_mobile_no: 0 }],
      links: [{ link_doctype: 'HD Customer', link_name: link, link_title: link }],
    });
    return title;
  }

  function ticket(customer: string, { email, by }: Member, names: string, typed: string | undefined): void {
    tickets += 1;
    const name = String(tickets);
    const owner = by ?? 'Administrator';
    documents('HD Ticket').push({
      ...{ name, owner, modified_by: owner, creation: at.site(200), modified: at.site(150), docstatus: 0, idx: 0 },
      ...{ subject: 'Nhờ kiểm tra đơn hàng', description: '<p>Nhờ anh chị kiểm tra giúp.</p>', raised_by: email },
      ...{ status: 'Closed', status_category: 'Resolved', priority: 'Medium', agent_group: 'CS 60p', customer },
      ...{ contact: names, via_customer_portal: 0, key: `00000000-0000-4000-8000-${name.padStart(12, '0')}` },
      ...{ opening_date: at.site(200).slice(0, 10), resolution_date: at.site(150), custom_orgid: typed ?? null },
    });
  }

  return {
    truth,
    add({ name: written, domain, members, truth: orgId, kind, typed }: HandMade): void {
      let name = written;
      for (let n = 2; truth[name] !== undefined; n += 1) name = `${written} ${n}`;
      truth[name] = { orgId, kind };
      // Those that website users made link themselves; nobody of the desk lists them.
      const named = members.map((member) => ({ member, contact: contact(member, name) }));
      documents('HD Customer').push({
        ...{ name, customer_name: name, customer_type: 'Company', domain: domain ?? null, docstatus: 0, idx: 0 },
        ...{
          owner: staffEmail('an'),
          modified_by: staffEmail('an'),
          creation: at.site(7_000 - Object.keys(truth).length),
          modified: at.site(800),
        },
        contacts: named
          .filter(({ member }) => member.by === undefined)
          .map(({ contact: contact_name }) => ({ contact_name })),
      } satisfies HelpdeskDocument);
      for (const { member, contact: of } of named)
        for (let n = random.int(3); n > 0; n -= 1) ticket(name, member, of, typed);
    },
    /** An account of the portal, for whoever writes a Contact of their own. */
    account(name: string): void {
      const key = `portal-in-use-${helpdesk.users.length}`;
      const none = { fullName: name, password: `${key}-password`, apiSecret: `${key}-secret` };
      helpdesk.users.push({ name, apiKey: key, roles: [], enabled: true, ...none } satisfies HelpdeskUserSeed);
    },
  };
}
