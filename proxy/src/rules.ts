import * as z from 'zod';
import { FieldMap } from './adapters/crm-bitrix24/field-map.ts';
import { AccountLinkConfig } from './adapters/helpdesk-frappe/account-link.ts';
import { IntakeRules } from './intake-rules.ts';
import { RoutingRules } from './routing-rules.ts';

/** What a site may arrange differently (`RULES_FILE`, design.md section 10). Everything has the specification's value as default. */
export const Rules = z.strictObject({
  /** Which CRM field holds what, and the values of the segment list. */
  crm_fields: FieldMap.prefault({}),
  /** Where the site keeps the platform accounts of a customer; null: nowhere. */
  account_link: AccountLinkConfig.nullable().default(null),
  /** How tickets are routed, and what a sender's claim counts for. */
  ...RoutingRules.shape,
  /** What intake looks for in tickets. */
  ...IntakeRules.shape,
});
export type Rules = z.output<typeof Rules>;
