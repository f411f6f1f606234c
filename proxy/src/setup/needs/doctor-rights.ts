import type { ClaimsMode } from '@deskside/shared/routing';
import * as z from 'zod';
import { type HelpdeskAdmin, isOn, textOf } from '#helpdesk/admin.ts';
import { openWebsiteRoles, takenRights } from '#helpdesk/permissions.ts';
import { call } from '#setup/doctor/helpdesk.ts';
import {
  claimsMeaning,
  deskRolesOf,
  howToClose,
  isClosed,
  isOpen,
  type Openness,
  openIdentity,
  openToAnybody,
  readOpenness,
  whoComesIn,
} from '#setup/needs/desired-state.ts';
import { describeChange, rowsHiddenByOwn } from '#setup/needs/rights.ts';
import { type CheckInput, type Findings, fault, listed, ok, type Remark, unchecked, warning } from '#setup/report.ts';

// What `doctor` checks of the rights of website users; read-only.

const Owners = z.array(z.object({ owner: z.string() }));

/** Whether senders can make the Contacts by which the helpdesk shows them tickets, or pass for others (docs/decisions.md 8). */
export async function* contacts(at: CheckInput): Findings {
  const { service } = at;
  const [desk, contact, theirs, user] = await Promise.all([
    deskRolesOf(service),
    service.doctype('Contact'),
    contactsOfWebsiteUsers(at),
    service.doctype('User'),
  ]);
  const roles = openWebsiteRoles('Contact', contact?.permissions ?? [], desk);
  if (roles.length > 0)
    yield fault(
      `Website users (${listed(roles)}) may create, write or delete Contacts: whoever makes one with the address of somebody else reads the tickets of that person.`,
      'Run "deskside provision", which moves these rights to the desk and notes how they were.',
    );
  if (user?.isRenamable)
    yield fault(
      'Whoever has an account may rename it to an address that has none, and is then taken for that sender, signed in.',
      'Run "deskside provision", which has nobody rename a User.',
    );
  const owner = encodeURIComponent(theirs[0]?.owner ?? '');
  if (theirs.length > 0)
    yield warning(
      `Website users own Contacts, with whatever address they gave: ${listed(theirs.map((one) => `${one.name} (of ${one.owner})`))}.`,
      `Look at each in the helpdesk (/app/contact?owner=${owner}, then the same for each other owner), and delete what holds an address or a customer that is not its owner’s: provisioning takes nothing away.`,
    );
  return ok('Only desk users may create, write and delete Contacts, and nobody renames accounts.');
}

/** So many owners fit into the address of a request. */
const atOnce = 50;

async function contactsOfWebsiteUsers(at: CheckInput): Promise<{ name: string; owner: string }[]> {
  const { service } = at;
  const distinct = { doctype: 'Contact', fields: '["owner"]', group_by: 'owner', limit_page_length: '0' };
  const [owners, desk] = await Promise.all([
    call(at, 'frappe.client.get_list', distinct, Owners),
    service.list('User', { fields: ['name'], filters: [['user_type', '=', 'System User']] }),
  ]);
  // Guest owns what signing up makes; nobody can sign in as Guest, and so change it.
  const others = new Set(['Administrator', 'Guest', ...desk.map(({ name }) => name)]);
  const website = owners.map(({ owner }) => owner).filter((owner) => !others.has(owner));
  const found: { name: string; owner: string }[] = [];
  for (let start = 0; start < website.length; start += atOnce) {
    const filters = [['owner', 'in', website.slice(start, start + atOnce)]] as const;
    const rows = await service.list('Contact', { fields: ['name', 'owner'], filters });
    found.push(...rows.map(({ name, owner }) => ({ name, owner: textOf(owner) })));
  }
  return found;
}

/** Whether senders can set which company a customer is (docs/decisions.md 19), or share it or a ticket (docs/decisions.md 8). */
export async function* customers({ service }: CheckInput): Findings {
  const [desk, ticket, customer] = await Promise.all([
    deskRolesOf(service),
    service.doctype('HD Ticket'),
    service.doctype('HD Customer'),
  ]);
  const open = customer ? openIdentity(customer, desk).filter(({ isThere }) => isThere) : [];
  if (open.length > 0) {
    const roles = listed([...new Set(open.flatMap(({ roles }) => roles))]);
    yield fault(
      `Portal customers with the role ${roles} may change ${listed(open.map(({ field }) => field))} of HD Customer, and so pass for another company.`,
      'Run "deskside provision", which protects these fields; if it has, remove write permission at their level from these roles.',
    );
  }
  for (const [doctype, found] of [['HD Ticket', ticket] as const, ['HD Customer', customer] as const]) {
    const roles = openWebsiteRoles(doctype, found?.permissions ?? [], desk);
    if (roles.length > 0)
      yield fault(
        `Website users (${listed(roles)}) may share any ${doctype} that they read: whom it is shared with goes on reading it, whoever it belongs to later.`,
        'Run "deskside provision", which takes this right from them and notes how it was.',
      );
  }
  return ok('Only desk users can set which company an HD Customer is, and share tickets and customers.');
}

async function sharesOfWebsiteUsers(admin: HelpdeskAdmin): Promise<{ what: string; holder: string }[]> {
  const sharable = Object.keys(takenRights).filter((doctype) => doctype !== 'Contact');
  const [shares, desk] = await Promise.all([
    admin.list('DocShare', {
      fields: ['name', 'user', 'everyone', 'share_doctype', 'share_name'],
      filters: [['share_doctype', 'in', sharable]],
    }),
    admin.list('User', { fields: ['name'], filters: [['user_type', '=', 'System User']] }),
  ]);
  const ofDesk = new Set(desk.map(({ name }) => name));
  return shares.flatMap(({ user, everyone, share_doctype, share_name }) => {
    const holder = isOn(everyone) ? 'everyone' : textOf(user);
    return ofDesk.has(holder) ? [] : [{ what: `${textOf(share_doctype)} ${String(share_name)}`, holder }];
  });
}

/** What claims are worth, whether strangers can make use of it (docs/decisions.md 9), and what they read beside their roles. */
export async function* claims({ config }: CheckInput, admin: HelpdeskAdmin): Findings {
  yield* givenBesideRoles(admin);
  const worth = worthOf(config.rules.claims, await readOpenness(admin));
  if (worth.level !== 'ok') yield worth;
  return worth;
}

function worthOf(mode: ClaimsMode, openness: Openness): Remark {
  if (isClosed(openness)) return ok(`Claims: ${mode}. That means: ${claimsMeaning[mode]}.`);
  if (!isOpen(openness)) return unchecked(`Who may come in. Claims: ${mode}. ${whoComesIn(openness)}`);
  return mode === 'accept'
    ? warning(
        `${whoComesIn(openness)} ${openToAnybody}`,
        `${howToClose(openness)}, or set "claims" to "hold" in the file of rules.`,
      )
    : warning(
        `${whoComesIn(openness)} So claims is hold: ${claimsMeaning.hold}.`,
        `Nothing, if that is meant. Else: ${howToClose(openness)}, then set "claims" to "accept" in the file of rules.`,
      );
}

/** What website users have been given beside their roles, and what an update of the helpdesk has changed of these in vain. */
async function* givenBesideRoles(admin: HelpdeskAdmin): AsyncGenerator<Remark> {
  const hidden = await rowsHiddenByOwn(admin);
  if (hidden.length > 0)
    yield warning(
      `An update of Helpdesk has changed role permissions that this site has its own for, so they are not in force: ${hidden.map(({ doctype, change }) => describeChange(doctype, change)).join('; ')}.`,
      'Compare them in the helpdesk (Role Permissions Manager), give the roles what the update meant for them, then run "deskside provision".',
    );
  const shares = await sharesOfWebsiteUsers(admin);
  const named = shares.map(({ what, holder }) => `${what} (with ${holder})`);
  if (shares.length > 0)
    yield warning(
      `Tickets and customers are shared with website users, who read them whoever they belong to: ${listed(named)}.`,
      'Look at each in the helpdesk (/app/docshare), and delete what nobody of the desk has given: provisioning takes nothing away.',
    );
}
