import type { FindData, FoundBy, FoundCompany } from '@deskside/shared/find';
import type { ProfileData } from '@deskside/shared/profile';
import { list } from '#i18n/format.ts';
import type { Message } from '#i18n/panel/crm-states.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { PanelError, SyncTarget } from '#messaging/protocol.ts';

/** Whether there is a CRM in which the ticket's company can be looked for. */
export function canFind({ bitrix }: ProfileData): boolean {
  return bitrix.status !== 'disabled' && bitrix.status !== 'missing_config';
}

/** What a screen reader is told about a search; null while there is nothing to tell. */
export function findHeadline(data: FindData | undefined, failure: PanelError | null, t: Texts): string | null {
  if (failure) return findFailureMessage(failure, t).title;
  if (!data) return null;
  if (data.read_as.length === 0) return t.find.tooShort;
  const parts = [t.find.count(data.companies.length)];
  if (data.more) parts.push(t.find.more);
  if (data.crm.status === 'failed') parts.push(t.find.crmFailed);
  if (data.helpdesk.status === 'failed') parts.push(t.find.helpdeskFailed);
  return parts.join(' ');
}

export function findFailureMessage({ code }: PanelError, { failures, find }: Texts): Message {
  if (code === 'offline') return find.offline;
  if (code === 'rate_limited') return find.limited;
  return failures.code[code];
}

/** What the text was taken for: `email`, `phone number or Org ID`. */
export function readAs({ read_as }: FindData, { language, find }: Texts): string {
  return list(
    language,
    read_as.map((kind) => find.kind[kind]),
    'disjunction',
  );
}

/** Why a company was found, as a sentence. */
export function reasonText({ by, value, person }: FoundBy, { find }: Texts): string {
  const what = find.by[by](value);
  return person === null ? what : find.ofPerson(what, person);
}

/** The company's plan, and how long it runs. */
export function planText({ plan, plan_status, plan_days_left }: FoundCompany, { find }: Texts): string | null {
  if (plan === null) return null;
  if (plan_status === 'expired') return find.planExpired(plan);
  return plan_status === 'expiring_soon' && plan_days_left !== undefined ? find.planEnds(plan, plan_days_left) : plan;
}

/** What a Sync would link the ticket to; null if nothing can be linked to it. */
export function targetOf(ticket: string, { org_id, bitrix_id }: FoundCompany): SyncTarget | null {
  return org_id === null ? null : { ticket, companyId: org_id, bitrixId: bitrix_id };
}
