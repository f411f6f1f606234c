import type { CrmErrorCode } from '@deskside/shared/status';
import { isSegment } from '#routing/segment.ts';
import { type AreaReport, areaReport, type DoctorFinding, finding, listed } from '#setup/doctor/finding.ts';
import { certificateWords } from '#setup/doctor/words.ts';
import type { CrmFacts, HookFacts } from './doctor-gather.ts';
import { FieldMap } from './field-map.ts';

interface CrmSettings {
  fieldMap: FieldMap;
  /** Segment values that count as Medium. */
  mediumSegments: readonly string[];
}

/**
 * `lookup`: null if CRM_WEBHOOK_URL is not set. `responsible`: null if there is none but that one, `same` if both are the same.
 */
interface CrmWorld {
  lookup: CrmFacts | null;
  responsible: HookFacts | 'same' | null;
  /** Both webhooks belong to the same portal. */
  onePortal: boolean;
}

/** Judges whether both webhooks work and the CRM has the fields that we read (docs/crm.md#fields). */
export function judgeCrm({ lookup, responsible, onePortal }: CrmWorld, settings: CrmSettings): AreaReport {
  const area = 'CRM';
  if (lookup === null) {
    const remedy = 'Create an incoming webhook with the scope crm in Bitrix24 and set CRM_WEBHOOK_URL to its address.';
    const only = finding('crm_not_configured', 'CRM_WEBHOOK_URL is not set: no company can be looked up.', remedy);
    return areaReport(area, { findings: [only], unchecked: ['The CRM.'] });
  }
  const findings = [...judgeLookup(lookup, settings)];
  const owners = responsible === 'same' ? lookup.hook : responsible;
  if (owners === null) {
    if (lookup.hook.ok && !showsUsers(lookup.hook)) {
      const problem = 'The webhook in CRM_WEBHOOK_URL lacks the scope user_basic: the account owner is not shown.';
      const remedy =
        'Edit it in Bitrix24 and tick "Users (basic)", or set CRM_RESPONSIBLE_WEBHOOK_URL to a webhook that has it.';
      findings.push(finding('responsible_not_configured', problem, remedy));
    }
  } else if (!isSaidAlready(lookup.hook, responsible === 'same' || onePortal ? owners : null)) {
    findings.push(...judgeResponsible(owners));
  }
  const unread = lookup.hook.ok && lookup.fields === null && findings.length === 0;
  const fine = `${owners === null ? 'The webhook works' : 'Both webhooks work'}${unread ? '' : ', and the company fields exist'}.`;
  return areaReport(area, {
    findings,
    fine,
    unchecked: [unread && 'The company fields: the CRM does not describe them.'],
  });
}

/** Whether a failure of the owners' webhook repeats that of the lookup's. `owners`: null if on another portal. */
function isSaidAlready(lookup: HookFacts, owners: HookFacts | null): boolean {
  if (lookup.ok || owners === null || owners.ok) return false;
  return owners === lookup || (owners.code === lookup.code && owners.code !== 'unauthorized');
}

/** Judges whether a webhook does for looking companies up. */
export function judgeHook(facts: CrmFacts): DoctorFinding[] {
  return judgeLookup({ ...facts, fields: null }, { fieldMap: FieldMap.parse({}), mediumSegments: [] });
}

function judgeLookup({ hook, fields, seesCompanies, failed }: CrmFacts, settings: CrmSettings): DoctorFinding[] {
  if (!hook.ok) return [hookFault('CRM_WEBHOOK_URL', hook, 'crm_webhook_refused')];
  if (hook.scopes !== null && !hook.scopes.includes('crm')) {
    const problem = `The webhook in CRM_WEBHOOK_URL lacks the scope crm (it has: ${listed(hook.scopes) || 'none'}).`;
    return [finding('crm_scope_missing', problem, 'Edit it in Bitrix24 (Developer resources) and tick CRM.')];
  }
  if (failed !== null) {
    const problem = `The CRM does not respond to ${failed.method} as it should (${failed.code}).`;
    const remedy =
      failed.code === 'insufficient_scope'
        ? "Give the webhook's owner permission to read companies in the CRM."
        : 'Try again in a few minutes; if that does not help, check the portal.';
    return [finding('crm_failing', problem, remedy)];
  }
  const findings = fields === null ? [] : judgeFieldMap(fields, settings);
  if (seesCompanies === false) {
    findings.push(
      finding(
        'crm_no_companies',
        'The webhook sees no companies, so every look-up would end with "not found".',
        "Give the webhook's owner permission to read all companies in the CRM.",
      ),
    );
  }
  return findings;
}

function judgeFieldMap(
  fields: NonNullable<CrmFacts['fields']>,
  { fieldMap: { segments, extra, ...named }, mediumSegments }: CrmSettings,
): DoctorFinding[] {
  const needed = [named.company_id, named.platform_org_id, named.customer_segment, named.current_shopplan];
  const mapped = [...Object.values(named), ...extra.map(({ field }) => field)];
  const lacking = [...new Set(mapped)].filter((name) => !fields.has(name));
  const remedy = 'Set the field names of your portal in the rule "crm_fields".';
  const findings = [];
  const missing = lacking.filter((name) => needed.includes(name));
  if (missing.length > 0) {
    const problem = `Companies have no field ${listed(missing)}, which look-ups and routing rely on.`;
    findings.push(finding('crm_field_missing', problem, remedy, missing.join(', ')));
  }
  const unknown = lacking.filter((name) => !needed.includes(name));
  if (unknown.length > 0) {
    const problem = `Companies have no field ${listed(unknown)}; the panel leaves those lines out.`;
    findings.push(finding('crm_field_unknown', problem, remedy, unknown.join(', ')));
  }
  const { type, items = [] } = fields.get(named.customer_segment) ?? {};
  const isMedium = ({ id, value }: { id: string; value: string }) => isSegment(segments[id] ?? value, mediumSegments);
  if (type === 'enumeration' && !items.some(isMedium)) {
    const problem = `No value of ${named.customer_segment} counts as ${listed(mediumSegments)}: all tickets go to the SME team.`;
    const how = 'Map the ids of your list in the rule "crm_fields" under "segments", or set "medium_segments".';
    findings.push(finding('crm_segments_unknown', problem, how, mediumSegments.join(', ')));
  }
  return findings;
}

/** Whether account owners are shown to a webhook; so it is taken where it does not say what it may. */
function showsUsers({ scopes }: Extract<HookFacts, { ok: true }>): boolean {
  return scopes === null || scopes.some((scope) => scope === 'user' || scope === 'user_basic');
}

/** Judges whether a webhook does for looking account owners up. */
function judgeResponsible(hook: HookFacts): DoctorFinding[] {
  const name = 'CRM_RESPONSIBLE_WEBHOOK_URL';
  if (!hook.ok) return [hookFault(name, hook, 'responsible_webhook_refused')];
  if (showsUsers(hook)) return [];
  const brief = hook.scopes?.includes('user_brief') ? ' (user_brief shows no email address)' : '';
  const problem = `The webhook in ${name} lacks the scope user_basic${brief}, so account owners are not found.`;
  return [finding('responsible_scope_missing', problem, 'Edit it in Bitrix24 and tick "Users (basic)".')];
}

function hookFault(
  variable: string,
  { code, certificate, cause = code }: Exclude<HookFacts, { ok: true }>,
  refused: 'crm_webhook_refused' | 'responsible_webhook_refused',
): DoctorFinding {
  if (code === 'unauthorized') {
    const problem = `The CRM refuses the webhook in ${variable}: it was deleted, expired, renewed or blocked.`;
    return finding(refused, problem, `Create a new webhook in Bitrix24 and set ${variable} to its address.`, variable);
  }
  if (certificate) {
    const { problem, remedy } = certificateWords(certificate, `the CRM in ${variable}`, variable);
    return finding('crm_certificate', problem, remedy, variable);
  }
  if (isOutage(code)) {
    const remedy = `Check the host in ${variable} and the network; portals are reached over the internet, by https.`;
    return finding(
      'crm_unreachable',
      `The CRM in ${variable} does not respond (${cause}).`,
      remedy,
      `${variable}: ${cause}`,
    );
  }
  const problem = `The CRM in ${variable} does not respond as a Bitrix24 portal should (${code}).`;
  const remedy =
    code === 'redirected' || code === 'bad_answer'
      ? `Set ${variable} to the webhook's address as Bitrix24 shows it now; the portal may have moved.`
      : 'Try again in a few minutes; if that does not help, check the portal.';
  return finding('crm_failing', problem, remedy, `${variable}: ${code}`);
}

const isOutage = (code: CrmErrorCode) => code === 'unreachable' || code === 'timeout';
