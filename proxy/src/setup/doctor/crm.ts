import { setTimeout as wait } from 'node:timers/promises';
import type { CrmErrorCode } from '@deskside/shared/status';
import * as z from 'zod';
import type { Config } from '#config.ts';
import { CrmFailure, codeOfException, maxBytes, type Param, parseWebhook, RestClient } from '#crm/rest.ts';
import { certificateProblem, type Egress, EgressError } from '#net/egress.ts';
import { isSegment } from '#routing/decide.ts';
import {
  type CheckInput,
  type CheckReport,
  type Findings,
  fault,
  listed,
  ok,
  type Remark,
  run,
  unchecked,
  warning,
} from '#setup/report.ts';

// What `doctor` checks of the CRM; read-only. `init` tries a webhook in the same way before it keeps it.

/** The settings that hold a webhook. */
type WebhookSetting = 'CRM_WEBHOOK_URL' | 'CRM_RESPONSIBLE_WEBHOOK_URL';

/** A webhook's answer, or why there is none. */
type WebhookAnswer = { ok: true; result: unknown } | { ok: false; code: CrmErrorCode; said: Remark };

/** Calls one method; never throws. */
export type AskCrm = (method: string, params?: Record<string, Param>) => Promise<WebhookAnswer>;

/** Whoever asks through the webhook of a setting; null if that is not set. */
export function askThrough(setting: WebhookSetting, config: Config, egress: Egress, withinMs: number): AskCrm | null {
  return askAt(setting, config[setting]?.[0]?.reveal() ?? '', egress, withinMs);
}

/**
 * The same through an address that is to stand in a setting; null if it is none. A portal that has just been asked too much by
 * everybody else is asked again.
 */
export function askAt(setting: WebhookSetting, address: string, egress: Egress, withinMs: number): AskCrm | null {
  const parsed = parseWebhook(address);
  if (!parsed.ok) return null;
  const { origin } = parsed.webhook;
  const client = new RestClient(egress.upstream(origin, { timeoutMs: withinMs, maxBytes }), [parsed.webhook]);
  return async (method, params = {}) => {
    for (let tries = 0; ; tries += 1) {
      const signal = AbortSignal.timeout(withinMs);
      try {
        return { ok: true, result: (await client.call(method, params, signal)).result };
      } catch (error) {
        const code = codeOfException(error, signal.aborted);
        if (code !== 'rate_limited' || tries === 8)
          return { ok: false, code, said: webhookFault(setting, new URL(origin).host, code, error) };
        await wait(1_000);
      }
    }
  };
}

function webhookFault(setting: WebhookSetting, host: string, code: CrmErrorCode, error: unknown): Remark {
  const { certificate, reason } = error instanceof EgressError ? error : { certificate: null, reason: null };
  if (certificate) return { level: 'fault', ...certificateProblem(certificate, `the CRM in ${setting}`, setting) };
  if (code === 'unauthorized')
    return fault(
      `The CRM refuses the webhook in ${setting}: it was deleted, expired, renewed or blocked.`,
      `Create a new webhook in Bitrix24 and set ${setting} to its address.`,
    );
  if (code === 'insufficient_scope')
    return fault(
      `The owner of the webhook in ${setting} may not read companies.`,
      "Give the webhook's owner permission to read all companies in the CRM.",
    );
  if (code === 'unreachable' || code === 'timeout')
    return fault(
      `The CRM in ${setting} does not respond (${host}, ${reason ?? code}).`,
      `Check the host in ${setting} and the network; portals are reached over the internet, by https.`,
    );
  if (code === 'rate_limited' || code === 'overloaded' || code === 'operation_limit')
    return fault(
      `The CRM in ${setting} (${host}) takes no more requests just now (${code}).`,
      'Look for other programs that ask it much, or for a run of "customers refresh"; within ten minutes it takes some again.',
    );
  const what = error instanceof CrmFailure && error.isPage ? 'with a web page' : 'not as a Bitrix24 portal should';
  return fault(
    `The CRM in ${setting} (${host}) answers ${what} (${code}).`,
    'Open its address in a browser: the portal may have moved or closed, or a proxy or a sign-in page answers in its place.',
  );
}

/** The checks of the CRM, and how far its clock is ahead of ours, in milliseconds; null if it does not say. */
export async function checkCrm(at: CheckInput): Promise<{ checked: CheckReport[]; ahead: number | null }> {
  const { config, egress, withinMs } = at;
  const only = (said: Remark) => ({ checked: [{ check: 'CRM', said: [said] }], ahead: null });
  if (!config.CRM_ENABLED) return only(warning('CRM_ENABLED is off: no company is looked up.', 'Set CRM_ENABLED=1.'));
  const ask = askThrough('CRM_WEBHOOK_URL', config, egress, withinMs);
  if (ask === null)
    return only(
      fault(
        'CRM_WEBHOOK_URL is not set: no company can be looked up.',
        'Create an incoming webhook with the scopes crm and user_basic in Bitrix24 and set CRM_WEBHOOK_URL to its address.',
      ),
    );
  const [companies, owners, fields, ahead] = await Promise.all([
    run('CRM', webhook(ask)),
    run('Account owners', accountOwners(at, ask)),
    run('CRM fields', companyFields(at, ask)),
    clockOf(ask, at),
  ]);
  const works = companies.said.every(({ level }) => level !== 'fault');
  return { checked: [companies, owners, ...(works ? [fields] : [])], ahead };
}

const Scopes = z.array(z.string().toLowerCase());

/** What a webhook may do, null if it does not say; or why it does not work. Asking requires no right. */
async function scopesOf(ask: AskCrm): Promise<{ scopes: string[] | null } | { code: string; said: Remark }> {
  const answer = await ask('scope');
  return answer.ok ? { scopes: Scopes.safeParse(answer.result).data ?? null } : answer;
}

/** Whether the webhook does for looking companies up. */
export async function webhook(ask: AskCrm): Promise<Remark> {
  const found = await scopesOf(ask);
  if ('said' in found) return found.said;
  if (found.scopes && !found.scopes.includes('crm'))
    return fault(
      `The webhook in CRM_WEBHOOK_URL lacks the scope crm (it has: ${listed(found.scopes) || 'none'}).`,
      'Edit it in Bitrix24 (Developer resources) and tick CRM.',
    );
  const companies = await ask('crm.company.list', { select: ['ID'], start: -1 });
  if (!companies.ok) return companies.said;
  return Array.isArray(companies.result) && companies.result.length === 0
    ? warning(
        'The webhook sees no companies, so every look-up would end with "not found".',
        "Give the webhook's owner permission to read all companies in the CRM.",
      )
    : ok('The webhook works, and sees companies.');
}

/** Whether account owners can be looked up, by a webhook of their own or else by that for companies. */
async function accountOwners({ config, egress, withinMs }: CheckInput, companies: AskCrm): Promise<Remark> {
  const [one, other] = [config.CRM_WEBHOOK_URL, config.CRM_RESPONSIBLE_WEBHOOK_URL].map((urls) => urls?.[0]?.reveal());
  const own = one === other ? null : askThrough('CRM_RESPONSIBLE_WEBHOOK_URL', config, egress, withinMs);
  const setting = own === null ? 'CRM_WEBHOOK_URL' : 'CRM_RESPONSIBLE_WEBHOOK_URL';
  const found = await scopesOf(own ?? companies);
  if ('said' in found)
    return own !== null && found.code === 'unauthorized' ? found.said : unchecked('The CRM does not answer.');
  // So it is taken where the portal does not say what the webhook may.
  if (found.scopes === null || found.scopes.some((scope) => scope === 'user' || scope === 'user_basic'))
    return ok('Account owners can be looked up.');
  return warning(
    `The webhook in ${setting} lacks the scope user_basic: the account owner is not shown.`,
    'Edit it in Bitrix24 and tick "Users (basic)"; user_brief does not do, it shows no email address.',
  );
}

async function clockOf(ask: AskCrm, { clock }: CheckInput): Promise<number | null> {
  const time = await ask('server.time');
  const told = time.ok && typeof time.result === 'string' ? Date.parse(time.result) : Number.NaN;
  return Number.isNaN(told) ? null : told - clock();
}

const Fields = z.record(
  z.string(),
  z.object({
    type: z.string(),
    isMultiple: z.boolean().default(false),
    title: z.string().nullish(),
    /** Of custom fields, whose `title` is their code. */
    formLabel: z.string().nullish(),
    listLabel: z.string().nullish(),
    items: z
      .array(z.object({ ID: z.coerce.string(), VALUE: z.string() }))
      .nullish()
      .transform((items) => items ?? []),
  }),
);

/** The fields that the portal has for companies, by their names. */
export type CompanyFieldCatalogue = z.output<typeof Fields>;

/** The fields that the portal has for companies, or why it does not say. */
export async function fieldsOfCompanies(ask: AskCrm): Promise<{ fields: CompanyFieldCatalogue } | { said: Remark }> {
  const answer = await ask('crm.company.fields');
  if (!answer.ok) return answer;
  const fields = Fields.safeParse(answer.result).data;
  return fields
    ? { fields }
    : { said: unchecked('The CRM describes its fields in a way that Deskside does not know.') };
}

/** Whether the CRM has the fields that we read, and a value that counts as Medium (docs/crm.md#values). */
async function* companyFields({ config }: CheckInput, ask: AskCrm): Findings {
  const found = await fieldsOfCompanies(ask);
  if ('said' in found) return found.said;
  const { fields } = found;
  const { crm_fields, medium_segments } = config.rules;
  const { segments, extra, ...named } = crm_fields;
  const needed = [named.company_id, named.platform_org_id, named.customer_segment, named.current_shopplan];
  const mapped = [...Object.values(named), ...extra.map(({ field }) => field)];
  const lacking = [...new Set(mapped)].filter((name) => !(name in fields));
  const missing = lacking.filter((name) => needed.includes(name));
  const unknown = lacking.filter((name) => !needed.includes(name));
  const todo = 'Set the field names of your portal in the rule "crm_fields"; "deskside crm-fields" lists them.';
  if (missing.length > 0)
    yield fault(`Companies have no field ${listed(missing)}, which look-ups and routing rely on.`, todo);
  if (unknown.length > 0)
    yield warning(`Companies have no field ${listed(unknown)}; the panel leaves those lines out.`, todo);
  for (const name of new Set([named.company_id, named.platform_org_id])) {
    const field = fields[name];
    if (field && !(await isFilteredBy(name, ask)))
      yield fault(
        `The CRM does not filter companies by ${name} (type ${field.type}${field.isMultiple ? ', several values' : ''}): every look-up by it fails.`,
        'Make it a text or a number in Bitrix24 that companies can be filtered by, or name another field in the rule "crm_fields".',
      );
  }
  const { type, items = [] } = fields[named.customer_segment] ?? {};
  if (type === 'enumeration' && !items.some(({ ID, VALUE }) => isSegment(segments[ID] ?? VALUE, medium_segments)))
    yield warning(
      `No value of ${named.customer_segment} counts as ${listed(medium_segments)}: all tickets go to the SME team.`,
      'Map the ids of your list in the rule "crm_fields" under "segments", or set "medium_segments".',
    );
  const deleted = Object.keys(segments).filter((id) => !items.some(({ ID }) => ID === id));
  if (type === 'enumeration' && deleted.length > 0)
    yield warning(
      `The list ${named.customer_segment} has no item ${listed(deleted)} any more: a company that still has it counts as without segment there.`,
      'Give these companies another item in Bitrix24, and take the id out of "segments" in the rule "crm_fields".',
    );
  return ok(`All ${mapped.length} company fields exist.`);
}

/** No company has it; whoever lists one all the same has lost the filter (docs/crm.md#lost-filters). */
const nobodysOrgId = '99999999999999999999';

async function isFilteredBy(field: string, ask: AskCrm): Promise<boolean> {
  const answer = await ask('crm.company.list', { filter: { [field]: nobodysOrgId }, select: ['ID'], start: -1 });
  return !answer.ok || !Array.isArray(answer.result) || answer.result.length === 0;
}
