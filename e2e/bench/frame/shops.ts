import { demo } from '@deskside/simulators/seed/index';
import type { Site } from './site.ts';

/** A ticket of a company of its own, which only it names. */
export interface Shop {
  ticket: string;
  orgId: string;
  companyId: string;
}

/** Puts companies into the CRM and a ticket for each into the helpdesk; `from` numbers them, so that each call's are new. */
export function addShops({ helpdesk, crm }: Pick<Site, 'helpdesk' | 'crm'>, from: number, count: number): Shop[] {
  const model = helpdesk.document('HD Ticket', demo.tickets.onlyTicketOrgId);
  const company = crm.company('63002');
  if (!model || !company) throw new Error('The seed has no such ticket or company.');
  return Array.from({ length: count }, (_, i) => {
    const number = from + i;
    const shop = {
      ticket: String(800_000 + number),
      orgId: String(3_000_000_000 + number),
      companyId: String(900_000 + number),
    };
    crm.putCompany({ ...company, ID: shop.companyId, TITLE: `Shop ${number}`, UF_CRM_COMPANY_ID: shop.orgId });
    helpdesk.put('HD Ticket', { ...model, name: shop.ticket, custom_orgid: shop.orgId, customer: null });
    return shop;
  });
}
