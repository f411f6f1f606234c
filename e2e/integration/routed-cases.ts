import { demo } from '@deskside/simulators/seed/index';
import type { DemoWorld } from '../demo/world.ts';

/** A helpdesk with its proxy, in this process or in another. */
type Site = Pick<DemoWorld, 'helpdesk'>;

/** A kind of ticket, by what it takes to route it. */
export interface RoutedCase {
  /** What the site has to be like, from this case on. */
  prepare?: (site: Site) => void;
  insert: (site: Site) => Promise<string>;
  /** One like it is routed first, which is not counted: sender, company and team are remembered then. */
  isWarm: boolean;
}

/** A shop whose customer is known and as the CRM has it. */
export const shop = { orgId: '200000376001', customer: 'Gốm Sứ Làng Mơ - 200000376001' };
/** A shop that the helpdesk has no customer of, and the address that the CRM has for it. */
const newShop = { orgId: '1000700232', owner: 'owner@phohoi.example' };
/** A shop whose team is asked for by no other case. */
const growTeam = { name: 'Medium - Grow', orgId: '1000391001', owner: 'owner@caphesuongnui.example' };

const typed =
  (sender: string, orgId: string | null) =>
  ({ helpdesk }: Site) =>
    helpdesk.insertTicket(
      sender,
      { subject: 'Không in được đơn', description: '<p>Nhờ xem giúp</p>', custom_orgid: orgId },
      { portal: true },
    );

/** In the order in which to route them on one site that keeps snapshots. */
export const routedCases: Readonly<Record<string, RoutedCase>> = {
  'a known customer, by an address of the CRM': { insert: typed(demo.portal.name, shop.orgId), isWarm: true },
  'a customer that the CRM has changed': {
    prepare: ({ helpdesk }) => {
      const before = { custom_shopplan_name: 'Grow 2024', custom_crm_company_modified_at: '2020-01-01 00:00:00' };
      helpdesk.put('HD Customer', {
        ...{ ...helpdesk.document('HD Customer', shop.customer), name: shop.customer },
        ...before,
      });
    },
    insert: typed(demo.portal.name, shop.orgId),
    isWarm: false,
  },
  'a new customer': { insert: typed(newShop.owner, newShop.orgId), isWarm: false },
  'no org id': { insert: typed('la@hopthu.example', null), isWarm: true },
  'a claim': { insert: typed('la@hopthu.example', newShop.orgId), isWarm: true },
  'nobody available': {
    prepare: ({ helpdesk }) => {
      const users = (helpdesk.document('HD Team', growTeam.name)?.users ?? []) as { user: string }[];
      for (const { user: name } of users)
        helpdesk.put('HD Agent', { ...helpdesk.document('HD Agent', name), name, is_active: 0 });
    },
    insert: typed(growTeam.owner, growTeam.orgId),
    isWarm: true,
  },
};

/** What was asked of the helpdesk, in order, such as `GET HD Ticket`; without what finds tickets that nobody told of. */
export function asked({ helpdesk }: Site): string[] {
  return helpdesk.journal
    .filter(({ query }) => !query.filters?.includes('"modified",">="'))
    .map(({ method, path, query }) => {
      const isShort = query.fields === '["name","_assign"]';
      return `${method} ${path.split('/')[3]}${isShort ? ' _assign' : ''}`;
    });
}
