import { demo } from '@deskside/simulators/seed/index';
import type { World } from '../demo/world.ts';

/** A customer that an agent made by hand, with members whom the agent put there. */
export function putHandMade({ helpdesk }: Pick<World, 'helpdesk'>, name: string, members: readonly string[]): void {
  const links = [{ link_doctype: 'HD Customer', link_name: name, link_title: name }];
  const listing = helpdesk.generation !== '1.24';
  for (const address of members)
    helpdesk.put('Contact', {
      ...{ name: address, owner: demo.agent.name, first_name: address, full_name: address, email_id: address },
      email_ids: [{ email_id: address, is_primary: 1 }],
      links: listing ? [] : links,
    });
  const contacts = members.map((contact_name) => ({ contact_name, is_manager: 0 }));
  helpdesk.put('HD Customer', { name, customer_name: name, ...(listing && { contacts }) });
}
