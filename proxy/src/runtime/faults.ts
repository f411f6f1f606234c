/** Faults that last until the service notices that they are over (docs/operate.md#faults). */
export const lastingFaults = [
  'crm_unauthorized',
  'crm_insufficient_scope',
  'crm_redirected',
  'crm_overloaded',
  'crm_operation_limit',
  'crm_timeout',
  'crm_unreachable',
  'crm_server_error',
  'crm_budget_store',
  'store_failing',
  'helpdesk_unreachable',
  'service_key_refused',
  'target_team_missing',
  'settings_unusable',
] as const;
export type LastingFault = (typeof lastingFaults)[number];

/** Faults of which each stands for itself: nothing reports an end. */
export const singleFaults = [
  'ticket_write_rejected',
  'ticket_unreadable',
  'helpdesk_page_changed',
  'unhandled_rejection',
  'uncaught_exception',
] as const;
export type Fault = LastingFault | (typeof singleFaults)[number];
