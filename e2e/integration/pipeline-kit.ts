import { demo, type HelpdeskDocument, shops } from '@deskside/simulators/seed/index';
import { onTestFinished } from 'vitest';
import { proxyEnvironment } from '../demo/proxy-environment.ts';
import { type DemoWorld, type WorldOptions, webhookSecret } from '../demo/world.ts';
import { openWorld, world } from './kit.ts';

/** A world whose helpdesk tells the proxy of new tickets. */
export const routedWorld: typeof world = (options, finished) => world({ pipeline: true, ...options }, finished);

/** A world that tells the proxy of new tickets, with its records in a folder, and the settings of a command beside that proxy. */
export async function worldWithCommands(options: Partial<WorldOptions> = {}) {
  const { world, data, close } = await openWorld({ pipeline: true, ...options });
  onTestFinished(close);
  const environment = {
    ...proxyEnvironment(world, `file:${data}`),
    ...{ PUBLIC_URL: world.proxyUrl, HELPDESK_WEBHOOK_SECRET: webhookSecret },
    DESKSIDE_ADMIN_KEY: `${demo.administrator.apiKey}:${demo.administrator.apiSecret}`,
  };
  return { world, environment };
}

/** Waits until every webhook was delivered and the pipeline has done what it can do now. */
export async function settle({ helpdesk, pipeline }: Pick<DemoWorld, 'helpdesk' | 'pipeline'>): Promise<void> {
  await helpdesk.webhooks.idle();
  // The first call may join a run that was about to end.
  await pipeline.processInbox();
  await pipeline.processInbox();
}

/** A ticket as it stands, as far as routing writes it. */
export function ticketOf({ helpdesk }: Pick<DemoWorld, 'helpdesk'>, name: string) {
  const ticket = helpdesk.document('HD Ticket', name);
  if (ticket === undefined) throw new Error(`There is no ticket ${name}.`);
  return {
    group: (ticket.agent_group as string | null) || null,
    customer: (ticket.customer as string | null) || null,
    orgId: (ticket.custom_orgid as string | null) || null,
    reason: String(ticket.custom_platform_routing_reason ?? ''),
    status: String(ticket.custom_platform_profile_status ?? ''),
    assigned: JSON.parse(String(ticket._assign || '[]')) as string[],
  };
}

interface Assignment {
  name: string;
  allocated_to: string;
  reference_name: string;
  description: string;
  status: string;
}

const todosOf = (helpdesk: DemoWorld['helpdesk']) =>
  helpdesk.documents('ToDo') as readonly (Assignment & HelpdeskDocument)[];

/** Every assignment that Deskside has ever made. */
export const assignmentsOf = ({ helpdesk }: Pick<DemoWorld, 'helpdesk'>) =>
  todosOf(helpdesk).filter(({ description }) => description?.startsWith('Auto round-robin'));

/** Open assignments of all tickets, or of one. */
export const openTodos = ({ helpdesk }: Pick<DemoWorld, 'helpdesk'>, ticket?: string) =>
  todosOf(helpdesk).filter(
    ({ status, reference_name }) => status === 'Open' && (ticket ?? reference_name) === reference_name,
  );

/** Where a shop's tickets belong by what the CRM knows of it. */
export function teamOf(orgId: string): string {
  const shop = shops.find((one) => one.orgId === orgId);
  if (shop?.segment !== '15092') return 'CS 60p';
  if (/scale/i.test(shop.plan)) return 'Medium - Scale';
  return /grow/i.test(shop.plan) ? 'Medium - Grow' : 'CS 60p';
}

/** Switches the native rules of all teams on or off. */
export function nativeRules({ helpdesk }: Pick<DemoWorld, 'helpdesk'>, on: boolean): void {
  for (const team of ['Medium - Scale', 'Medium - Grow', 'CS 60p', 'Service Ecom']) {
    const rule = helpdesk.document('Assignment Rule', `${team} - Support Rotation`);
    if (rule) helpdesk.put('Assignment Rule', { ...rule, disabled: on ? 0 : 1 });
  }
}

/** Makes an agent one who may get tickets, or not. */
export function setAvailability({ helpdesk }: Pick<DemoWorld, 'helpdesk'>, user: string, availability: string): void {
  const agent = helpdesk.document('HD Agent', user);
  if (agent) helpdesk.put('HD Agent', { ...agent, is_active: 1, availability });
  const account = helpdesk.document('User', user);
  if (account) helpdesk.put('User', { ...account, enabled: 1 });
}

/** The members of the team of all others, in their turn. */
export const team = ['an', 'dung', 'hoa', 'khoa', 'linh', 'minh', 'truong'].map((id) => `${id}@support.example`);

/** Deskside gives out the tickets, without the native rules or beside them, and the whole team may get some. */
export function staff({ helpdesk }: Pick<DemoWorld, 'helpdesk'>, native = false): void {
  nativeRules({ helpdesk }, native);
  for (const user of team) setAvailability({ helpdesk }, user, 'Active');
}

/** An importer without an agent's record makes the contact; since 1.28 the customer lists it, before it lists the customer. */
export function isMember(
  { helpdesk }: Pick<DemoWorld, 'helpdesk'>,
  sender: { address: string; customer: string },
): void {
  const { address, customer } = sender;
  const links = [{ link_doctype: 'HD Customer', link_name: customer, link_title: customer }];
  helpdesk.put('Contact', {
    ...{
      name: address,
      owner: demo.sysonly.name,
      first_name: address,
      full_name: address,
      email_id: address,
      user: address,
    },
    email_ids: [{ email_id: address, is_primary: 1 }],
    links: helpdesk.generation === '1.28' ? [] : links,
  });
  const document = helpdesk.document('HD Customer', customer);
  if (helpdesk.generation !== '1.28' || document === undefined) return;
  const contacts = [...((document.contacts ?? []) as object[]), { contact_name: address, is_manager: 0 }];
  helpdesk.put('HD Customer', { ...document, contacts });
}
