import { forger, helpdeskUsers } from './helpdesk-users.ts';
import { reachOf, shopOf } from './shops.ts';
import { scenarios } from './ticket-scenarios.ts';
import type { HelpdeskUserSeed } from './types.ts';

type Scenario = keyof typeof scenarios;

/** The handy parts of the seed: who can sign in, which ticket shows what, and what a rules file may add. */
export const demo = {
  /** An ordinary agent, in `Medium - Scale` and `CS 60p`. */
  agent: user('an@support.example'),
  /** An agent outside of `Medium - Scale`. */
  otherAgent: user('dung@support.example'),
  manager: user('truong@support.example'),
  /** Agent and Agent Manager: what the proxy runs as. */
  service: user('service@support.example'),
  /** System Manager without Agent. */
  sysonly: user('sysonly@support.example'),
  /** System Manager and Agent: what `provision` and `doctor` are run with. */
  admin: user('admin@support.example'),
  /** The same with Script Manager, which saving Server Scripts needs. */
  scriptAdmin: user('scripts@support.example'),
  administrator: user('Administrator'),
  /** Portal customer, owner of the shop of `tickets.matched`. */
  portal: user(reachOf(shopOf('200000376001')).ownerEmail),
  /** Portal customer who linked himself to that shop. */
  forger: user(forger),
  /** Ticket name per state; what the states mean stands with the scenarios. */
  tickets: Object.fromEntries(Object.entries(scenarios).map(([key, { name }]) => [key, name])) as Record<
    Scenario,
    string
  >,
  /** For a rules file: the invented CRM fields beyond the default map. */
  extraFields: [
    { field: 'UF_CRM_GMV_30D', key: 'gmv_30d', label: 'GMV 30 ngày', group: 'metrics' },
    { field: 'UF_CRM_ORDERS_30D', key: 'orders_30d', label: 'Đơn 30 ngày', group: 'metrics' },
    { field: 'UF_CRM_PROFIT_MARGIN', key: 'profit_margin', label: 'Biên lợi nhuận (%)', group: 'profit' },
    { field: 'UF_CRM_LIFETIME_PROFIT', key: 'lifetime_profit', label: 'Lợi nhuận lũy kế', group: 'profit' },
    { field: 'UF_CRM_CHANNELS', key: 'channels', label: 'Kênh bán', group: 'context' },
    { field: 'UF_CRM_661742530FDE6', key: 'update_note', label: 'Ghi chú cập nhật', group: 'context' },
  ] as const,
} as const;

function user(name: string): HelpdeskUserSeed {
  const found = helpdeskUsers().find((u) => u.name === name);
  if (!found) throw new Error(`The seed has no user ${name}.`);
  return found;
}
