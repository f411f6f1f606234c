import type { Remark, SettingName } from '@deskside/shared/settings';
import type { CrmTrial } from '#adapters/crm-adapter.ts';
import { createAdminClient } from '#adapters/helpdesk-frappe/admin/admin-client.ts';
import { serviceKeyOf, withServiceKeys } from '#adapters/helpdesk-frappe/client/service-keys.ts';
import { remark } from '#app/settings/remark.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import { type Config, ConfigError, mustBePublic } from '#config/environment.ts';
import { Rules } from '#config/rules.ts';
import { type Egress, withEgress } from '#net/egress.ts';
import { isPublicOrigin } from '#net/public-origin.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { ProposedSetting, TrySetting } from '#ports/runtime/settings.ts';
import type { DoctorFinding } from '#setup/doctor/finding.ts';
import { gatherTeams, judgeTeams } from '#setup/doctor/teams.ts';
import { attempt } from '#setup/read-result.ts';

type Verdict = Awaited<ReturnType<TrySetting>>;

interface Trial {
  config: Config;
  egress: Egress;
  clock: Clock;
  signal: AbortSignal;
}

/** Longest wait for one response. */
const withinMs = 10_000;

const trials: Partial<Record<SettingName, (text: string, trial: Trial) => Promise<Verdict>>> = {
  CRM_WEBHOOK_URL: (text, trial) => tryAddress('CRM_WEBHOOK_URL', text, trial),
  CRM_RESPONSIBLE_WEBHOOK_URL: (text, trial) => tryAddress('CRM_RESPONSIBLE_WEBHOOK_URL', text, trial),
  crm_fields: tryFields,
  medium_segments: (_, trial) => noteSegments(trial),
  teams: tryTeams,
  account_link: tryAccountLink,
};

/** Asks helpdesk and CRM about a change, on connections of its own. */
export async function trySetting(
  { config, clock }: Pick<Trial, 'config' | 'clock'>,
  { name, text, stored }: ProposedSetting,
  signal: AbortSignal,
): Promise<Verdict> {
  const nothing = { problems: [], notes: [] };
  try {
    const proposed = config.over(stored);
    if (text === null) return nothing;
    return await withEgress(config, async (egress) => {
      const trial = { config: proposed, egress, clock, signal };
      return (await trials[name]?.(text, trial)) ?? nothing;
    });
  } catch (error) {
    if (error instanceof ConfigError) return refused(remark('configuration_unusable', error.message));
    throw error;
  }
}

/** Whoever changes settings on a page should not be able to have this machine look around in its network. */
async function tryAddress(
  name: 'CRM_WEBHOOK_URL' | 'CRM_RESPONSIBLE_WEBHOOK_URL',
  text: string,
  trial: Trial,
): Promise<Verdict> {
  const isOutside =
    trial.config.ALLOW_INSECURE_UPSTREAMS || (await isPublicOrigin(text, deadlineOf(trial)).catch(() => null));
  if (isOutside === null)
    return refused(remark('host_unknown', `${name}: its host name cannot be looked up; check it, or try again later.`));
  if (!isOutside)
    return refused(
      remark(
        'host_not_public',
        `${name}: leads to no public address; a portal in your own network is set in the environment.`,
      ),
    );
  const use = name === 'CRM_WEBHOOK_URL' ? 'companies' : 'owners';
  return verdictOf(await crmAdapter.tryAddress(text, use, crmOf(trial)));
}

/** Every field that the value itself names has to exist. */
async function tryFields(text: string, trial: Trial): Promise<Verdict> {
  const address = trial.config.CRM_WEBHOOK_URL?.[0]?.reveal();
  if (address === undefined)
    return noted(remark('fields_not_checked', 'The fields were not looked up: no webhook is set.'));
  const unknown = await crmAdapter.unknownFields(JSON.parse(text), address, crmOf(trial));
  if (unknown === null)
    return refused(
      remark('fields_not_described', 'crm_fields: the CRM does not say which fields companies have; try again later.'),
    );
  const fields = unknown.join(', ');
  if (fields !== '')
    return refused(remark('fields_unknown', `crm_fields: companies have no field ${fields}.`, { fields }));
  return noteSegments(trial);
}

/** No field and no segment that only the defaults name is a reason to refuse, but worth knowing. */
async function noteSegments(trial: Trial): Promise<Verdict> {
  const { config } = trial;
  const { report } = await crmAdapter.checkUp({
    ...crmOf(trial),
    webhookUrl: config.CRM_WEBHOOK_URL?.[0]?.reveal() ?? null,
    responsibleWebhookUrl: null,
    fieldMap: config.rules.crm_fields,
    mediumSegments: config.rules.medium_segments,
  });
  const worth = ['crm_field_missing', 'crm_segments_unknown'];
  return { problems: [], notes: report.findings.filter(({ code }) => worth.includes(code)).map(saidOf) };
}

async function tryTeams(text: string, trial: Trial): Promise<Verdict> {
  const named = Object.entries(Rules.shape.teams.parse(JSON.parse(text))).filter(([key]) => key in JSON.parse(text));
  const names = [...new Set(named.map(([, name]) => name))];
  const facts = await attempt(gatherTeams(helpdeskOf(trial), names, () => deadlineOf(trial)));
  if (!facts.ok) return refused(remark('helpdesk_unasked', `teams: the helpdesk cannot be asked. ${facts.message}`));
  const { problems, notes } = verdictOf(judgeTeams(facts.value).findings, ['team_missing', 'team_disabled']);
  return { problems: problems.map((problem) => ({ ...problem, message: `teams: ${problem.message}` })), notes };
}

/** Fields that every document has. */
const ofEveryDocument = ['name', 'owner', 'creation', 'modified', 'modified_by'];

async function tryAccountLink(_: string, trial: Trial): Promise<Verdict> {
  const link = trial.config.rules.account_link;
  if (link === null) return { problems: [], notes: [] };
  const read = await attempt(helpdeskOf(trial).doctype(link.doctype, deadlineOf(trial)));
  if (!read.ok && read.kind !== 'forbidden')
    return refused(remark('helpdesk_unasked', `account_link: the helpdesk cannot be asked. ${read.message}`));
  const named = { doctype: link.doctype };
  if (!read.ok) return noted(remark('doctype_unread', `The service account may not read ${link.doctype}.`, named));
  const { value: doctype } = read;
  if (doctype === null)
    return refused(
      remark('doctype_unknown', `account_link.doctype: the helpdesk has no DocType "${link.doctype}".`, named),
    );
  const fields = { customer_field: link.customer_field, ...link.fields };
  const lacking = [...new Set(Object.values(fields))].filter(
    (field) => field !== null && !doctype.fields.has(field) && !ofEveryDocument.includes(field),
  );
  if (lacking.length === 0) return { problems: [], notes: [] };
  const message = `account_link: ${link.doctype} has no field ${lacking.join(', ')}.`;
  return refused(remark('doctype_lacks_fields', message, { ...named, fields: lacking.join(', ') }));
}

/** How the CRM of a configuration is tried. `within`: the longest wait for one response, in milliseconds. */
export function crmOf({ config, egress, clock }: Omit<Trial, 'signal'>, within = withinMs): CrmTrial {
  const upstream = (origin: string) =>
    egress.upstream(origin, {
      timeoutMs: within,
      publicOnly: mustBePublic(config, origin),
      maxBytes: crmAdapter.maxBytes,
    });
  return { upstream, withinMs: within, clock };
}

function helpdeskOf({ config, egress }: Trial) {
  const upstream = egress.upstream(config.HELPDESK_URL, { timeoutMs: withinMs, maxConnections: 4 });
  return createAdminClient(withServiceKeys(config, upstream), serviceKeyOf(config));
}

function deadlineOf({ signal }: Trial): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
}

function refused(problem: Remark): Verdict {
  return { problems: [problem], notes: [] };
}

function noted(note: Remark): Verdict {
  return { problems: [], notes: [note] };
}

/** What `doctor` calls an error is one here, or only the codes given; the rest is worth knowing. */
function verdictOf(findings: readonly DoctorFinding[], errors?: readonly string[]): Verdict {
  const isProblem = ({ code, severity }: DoctorFinding) => (errors ? errors.includes(code) : severity === 'error');
  return {
    problems: findings.filter(isProblem).map(saidOf),
    notes: findings.filter((finding) => !isProblem(finding)).map(saidOf),
  };
}

function saidOf({ code, problem, remedy }: DoctorFinding): Remark {
  return { code, params: {}, message: `${problem} ${remedy}` };
}
