import * as z from 'zod/mini';
import { RoutingDecisions } from '../routing.ts';
import {
  AcceptCertainInput,
  AcceptedMatch,
  AcceptedMatches,
  AcceptInput,
  CustomerMatches,
  UndoAcceptedInput,
  UndoneMatches,
} from './customers.ts';
import { OperatorExpiring } from './expiring.ts';
import { OperatorProof } from './proof.ts';
import { OperatorRouting } from './routing.ts';
import {
  AuditInput,
  HelpdeskTeams,
  PreviewInput,
  RulePreview,
  SettingChange,
  SettingChanged,
  SettingInput,
  SettingName,
  SettingsList,
} from './settings.ts';
import { OperatorHealth, OperatorToday, SinceInput, TicketInput } from './today.ts';

/** Who is signed in to the operator page. */
export const OperatorMe = z.object({
  user: z.string(),
  full_name: z.nullable(z.string()),
  /** The language they use the helpdesk in, such as `vi`. Null: none is set. */
  language: z.nullable(z.string()),
  /** Only System Managers may change settings, and accept matches. */
  may_change_settings: z.boolean(),
  proxy_version: z.string(),
  helpdesk_url: z.string(),
});
export type OperatorMe = z.infer<typeof OperatorMe>;

/**
 * What the operator page asks its own proxy, with the cookie of its session. Answers have the envelope of every other
 * (docs/api.md#operator-page).
 */
export const operatorContract = {
  me: { method: 'GET', path: '/operator/api/me', input: z.object({}), data: OperatorMe },
  today: { method: 'GET', path: '/operator/api/today', input: SinceInput, data: OperatorToday },
  health: { method: 'GET', path: '/operator/api/health', input: z.object({}), data: OperatorHealth },
  prove: { method: 'POST', path: '/operator/api/prove', input: z.object({}), data: OperatorProof },
  routing: { method: 'GET', path: '/operator/api/routing', input: SinceInput, data: OperatorRouting },
  expiring: { method: 'GET', path: '/operator/api/expiring', input: z.object({}), data: OperatorExpiring },
  decisions: { method: 'GET', path: '/operator/api/decisions', input: TicketInput, data: RoutingDecisions },
  customers: { method: 'GET', path: '/operator/api/customers', input: z.object({}), data: CustomerMatches },
  matchCustomers: { method: 'POST', path: '/operator/api/customers/match', input: z.object({}), data: z.object({}) },
  acceptMatch: { method: 'POST', path: '/operator/api/customers/accept', input: AcceptInput, data: AcceptedMatch },
  acceptCertain: {
    method: 'POST',
    path: '/operator/api/customers/accept-certain',
    input: AcceptCertainInput,
    data: AcceptedMatches,
  },
  undoAccepted: {
    method: 'POST',
    path: '/operator/api/customers/undo',
    input: UndoAcceptedInput,
    data: UndoneMatches,
  },
  signOut: { method: 'POST', path: '/operator/api/sign-out', input: z.object({}), data: z.object({}) },
  settings: { method: 'GET', path: '/operator/api/settings', input: z.object({}), data: SettingsList },
  settingsAudit: {
    method: 'GET',
    path: '/operator/api/settings/audit',
    input: AuditInput,
    data: z.object({ changes: z.array(SettingChange) }),
  },
  previewRule: { method: 'POST', path: '/operator/api/settings/preview', input: PreviewInput, data: RulePreview },
  settingTeams: { method: 'GET', path: '/operator/api/settings/teams', input: z.object({}), data: HelpdeskTeams },
  changeSetting: { method: 'POST', path: '/operator/api/settings/change', input: SettingInput, data: SettingChanged },
  promoteSetting: {
    method: 'POST',
    path: '/operator/api/settings/promote',
    input: z.object({ name: SettingName }),
    data: SettingChanged,
  },
} as const;

export type OperatorEndpoint = keyof typeof operatorContract;
export type OperatorInput<E extends OperatorEndpoint> = z.input<(typeof operatorContract)[E]['input']>;
export type OperatorOutput<E extends OperatorEndpoint> = z.output<(typeof operatorContract)[E]['data']>;

/** A header that no form and no link can send: a write without it did not come from the page (docs/decisions.md 33). */
export const operatorHeader = 'x-deskside-operator';

/** Why a sign-in came to nothing, as the page's address says it after `?sign_in=`. */
export const SignInProblem = z.enum([
  'refused',
  'not_allowed',
  'expired',
  'not_set_up',
  'helpdesk_unavailable',
  'helpdesk_bad_answer',
]);
export type SignInProblem = z.infer<typeof SignInProblem>;
