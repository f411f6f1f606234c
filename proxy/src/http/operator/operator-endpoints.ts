import { type OperatorEndpoint, operatorContract } from '@deskside/shared/operator/contract';
import type { CustomerMatches } from '@deskside/shared/operator/customers';
import type { Context } from 'hono';
import type { OperatorContext } from '#app/context.ts';
import { hasCrmOn } from '#app/crm/crm-layers.ts';
import { acceptCertain, acceptMatch, undoAccepted } from '#app/customer/match/accept-match.ts';
import { listMatches } from '#app/customer/match/list-matches.ts';
import { beginMatching } from '#app/customer/match/match-customers.ts';
import { showRouting } from '#app/operator/show-routing.ts';
import { showToday } from '#app/operator/show-today.ts';
import { proveOnPage } from '#app/prove/prove-on-page.ts';
import { readDecisions } from '#app/routing/list-decisions.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { changeSetting, promoteSetting } from '#app/settings/change-setting.ts';
import { listSettings } from '#app/settings/list-settings.ts';
import { previewRule } from '#app/settings/preview-rule.ts';
import { mayChangeSettings } from '#domain/operator/operator-roles.ts';
import type { AppEnv } from '#http/context.ts';
import { type AnyEndpoint, endpoint } from '#http/endpoint.ts';
import { sessionOf } from './cookies.ts';

/** Whoever is signed in to the page. */
async function operators(c: Context<AppEnv>, { operatorGate }: Pick<OperatorContext, 'operatorGate'>) {
  if (operatorGate === undefined) throw new AppError('unauthenticated');
  const session = await operatorGate.require(sessionOf(c));
  return { session, actor: { name: session.user, mayChangeSettings: mayChangeSettings(session.roles) } };
}

/** Those of them who may change something, by the roles that they have at this moment. */
async function systemManagers(c: Context<AppEnv>, { operatorGate }: Pick<OperatorContext, 'operatorGate'>) {
  if (operatorGate === undefined) throw new AppError('unauthenticated');
  const { user, roles } = await operatorGate.requireNow(sessionOf(c));
  if (!mayChangeSettings(roles)) throw new AppError('not_a_system_manager');
  return { by: user, actor: { name: user, mayChangeSettings: true } };
}

const done = () => 'Done.';
const inForceSoon = () => 'In force on every proxy within five seconds.';
const noCrm: CustomerMatches = { has_crm: false, run: null, matches: [], accepted: [] };

/** Throws `changed_since` if there is no CRM to ask any more. */
function matchingOf(ctx: OperatorContext) {
  if (!hasCrmOn(ctx)) throw new AppError('changed_since');
  return ctx;
}

/** What the operator page asks with the cookie of its session (docs/api.md#operator-page); signing out is beside it. */
export const operatorEndpoints = {
  me: endpoint(operatorContract.me, {
    who: operators,
    verb: async ({ about }, { session: { user, fullName, language }, actor }) => ({
      user,
      full_name: fullName,
      language,
      may_change_settings: actor.mayChangeSettings,
      proxy_version: about.version,
      helpdesk_url: about.helpdeskUrl,
    }),
    message: done,
  }),
  today: endpoint(operatorContract.today, { who: operators, verb: showToday, message: done }),
  health: endpoint(operatorContract.health, { who: operators, verb: (ctx) => ctx.showHealth(), message: done }),
  prove: endpoint(operatorContract.prove, { who: systemManagers, verb: proveOnPage, message: done }),
  routing: endpoint(operatorContract.routing, { who: operators, verb: showRouting, message: done }),
  expiring: endpoint(operatorContract.expiring, { who: operators, verb: (ctx) => ctx.showExpiring(), message: done }),
  decisions: endpoint(operatorContract.decisions, {
    who: operators,
    verb: (ctx, { ticket }, signal) => readDecisions(ctx, ticket, signal),
    message: done,
  }),
  customers: endpoint(operatorContract.customers, {
    who: operators,
    verb: async (ctx) => (hasCrmOn(ctx) ? listMatches(ctx) : noCrm),
    message: done,
  }),
  matchCustomers: endpoint(operatorContract.matchCustomers, {
    who: systemManagers,
    verb: async (ctx) => {
      await beginMatching(matchingOf(ctx));
      return {};
    },
    message: done,
  }),
  acceptMatch: endpoint(operatorContract.acceptMatch, {
    who: systemManagers,
    verb: (ctx, { org_id: orgId, customer, by }, signal) =>
      acceptMatch(matchingOf(ctx), { by, customer, orgId }, signal),
    message: done,
  }),
  acceptCertain: endpoint(operatorContract.acceptCertain, {
    who: systemManagers,
    verb: (ctx, { judged_at: judgedAt, ...order }, signal) =>
      acceptCertain(matchingOf(ctx), { judgedAt, ...order }, signal),
    message: done,
  }),
  undoAccepted: endpoint(operatorContract.undoAccepted, {
    who: systemManagers,
    verb: (ctx, asked, signal) => undoAccepted(matchingOf(ctx), asked, signal),
    message: done,
  }),
  settings: endpoint(operatorContract.settings, {
    who: operators,
    verb: listSettings,
    message: () => 'These settings are in force.',
  }),
  settingsAudit: endpoint(operatorContract.settingsAudit, {
    who: operators,
    verb: async ({ settings }, page) => ({ changes: await settings.store.changes(page) }),
    message: () => 'This has become of the settings.',
  }),
  settingTeams: endpoint(operatorContract.settingTeams, {
    who: operators,
    verb: async ({ search }, _, signal) => {
      const teams = await search.teams(signal);
      return { teams: teams.map(({ name, isDisabled }) => ({ name, is_disabled: isDisabled })) };
    },
    message: done,
  }),
  previewRule: endpoint(operatorContract.previewRule, { who: operators, verb: previewRule, message: done }),
  changeSetting: endpoint(operatorContract.changeSetting, {
    who: systemManagers,
    verb: changeSetting,
    message: inForceSoon,
  }),
  promoteSetting: endpoint(operatorContract.promoteSetting, {
    who: systemManagers,
    verb: promoteSetting,
    message: inForceSoon,
  }),
} satisfies Record<Exclude<OperatorEndpoint, 'signOut'>, AnyEndpoint>;
