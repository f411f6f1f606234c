import type { ProfileData } from '@deskside/shared/profile';
import { seconds } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { companiesOf, otherCustomer } from '#panel/company/companies.ts';
import { crmErrorMessage, passesByItself } from '#panel/status/crm-message.ts';
import { agePhrase } from '#panel/status/freshness.ts';
import { fieldLabel, mayBeReadByOther } from '#panel/trust/trust-reason.ts';
import { shownTrust } from '#summary/shown-trust.ts';

/** Something that an agent should know before anything else: one sentence, and what can be done about it. */
export interface Warning {
  key: string;
  tone: 'ok' | 'warn' | 'bad';
  sentence: string;
  /** Names in the sentence, which stand out. */
  names?: readonly string[];
  action?: { label: string; onPress: () => void } | null;
}

interface Situation {
  /** As answered, with the leading company. */
  answered: ProfileData;
  /** As shown. */
  profile: ProfileData;
  /** Why the profile could not be updated. */
  failure: PanelError | null;
  /** The pause before it is asked again by itself, in milliseconds. */
  retryMs: number | false;
  online: boolean;
  now: number;
}

interface Ways {
  retry: () => void;
  refresh: () => void;
  /** Says why the company is shown. */
  reason: () => void;
  /** Lets the agent choose among the ticket's companies. */
  choose: () => void;
  /** Shows the CRM's other companies with this id. */
  compare: () => void;
  /** Null: nothing can be synced now. */
  link: (() => void) | null;
}

/** What is to be known before a profile is acted upon, most important first. Each fact is said here and nowhere else. */
export function warningsOf(situation: Situation, t: Texts, ways: Ways): Warning[] {
  const { answered, profile } = situation;
  return [
    connection(situation, t, ways),
    crmFailed(situation, t, ways),
    trust(profile, t, ways),
    several(answered, profile, t, ways),
    stranger(answered, t),
    twins(profile, t, ways),
    offered(profile, t, ways) ?? unlinked(profile, t, ways),
    adopted(situation, t, ways),
    ...profile.notes.map(({ code, field }) => ({
      ...{ key: field, tone: 'warn' as const },
      sentence: t.fields.notes[code](fieldLabel(field, t)),
    })),
  ].filter((warning) => warning !== null);
}

function connection({ failure, retryMs, online }: Situation, t: Texts, { retry }: Ways): Warning | null {
  if (failure && failure.code !== 'offline') {
    const again = retryMs === false ? '' : t.failures.again(seconds(t.language, retryMs));
    return {
      ...{ key: 'failure', tone: 'bad' },
      sentence: [`${t.failures.code[failure.code].title}.`, t.failures.kept, again].filter(Boolean).join(' '),
      action: { label: t.shell.tryNow, onPress: retry },
    };
  }
  if (online && !failure) return null;
  return { key: 'offline', tone: 'warn', sentence: `${t.shell.offlineNote}. ${t.shell.offlineNoteBody}` };
}

function crmFailed({ profile: { bitrix }, now }: Situation, t: Texts, { refresh }: Ways): Warning | null {
  if (bitrix.status !== 'error' || !bitrix.company) return null;
  const passes = passesByItself(bitrix.error?.code);
  const { title, body } = crmErrorMessage(bitrix.error?.code, t);
  const sentences = [`${title}.`, t.crm.staleCompany(agePhrase(bitrix.as_of, now, t)), passes ? t.crm.retrying : body];
  return {
    ...{ key: 'crm', tone: 'bad', sentence: sentences.join(' ') },
    action: passes ? { label: t.shell.tryNow, onPress: refresh } : null,
  };
}

function trust(profile: ProfileData, t: Texts, { reason }: Ways): Warning | null {
  const level = shownTrust(profile);
  if (level === null || level === 'confirmed' || level === 'checking' || level === 'likely') return null;
  return {
    ...{ key: 'trust', tone: 'warn' },
    sentence: mayBeReadByOther(profile.bitrix.lookup_trust) ? t.trust.checkReader : t.trust.check,
    action: { label: t.trust.how, onPress: reason },
  };
}

function several(answered: ProfileData, profile: ProfileData, t: Texts, { choose }: Ways): Warning | null {
  const others = companiesOf(answered, t).filter(({ orgId }) => orgId !== profile.bitrix.lookup_value);
  const [first, ...more] = others;
  if (!first) return null;
  return {
    ...{ key: 'several', tone: 'warn', names: [first.name] },
    sentence: t.fields.alsoNames(first.name, t.trust.tag[first.trust], more.length),
    action: { label: t.find.choose, onPress: choose },
  };
}

function stranger(answered: ProfileData, t: Texts): Warning | null {
  const customer = otherCustomer(answered);
  // One that may be the company is asked about instead.
  if (customer === null || answered.customer?.name === answered.bitrix.adoption?.customer) return null;
  const companies = answered.bitrix.also_named.length + 1;
  return {
    ...{ key: 'customer', tone: 'warn', names: [customer] },
    sentence: t.fields.otherCustomer(customer, companies),
  };
}

function twins({ bitrix }: ProfileData, t: Texts, { compare }: Ways): Warning | null {
  const { length } = bitrix.alternatives;
  if (length === 0) return null;
  return {
    ...{ key: 'twins', tone: 'warn', sentence: `${t.fields.alternatives(length + 1)}.` },
    action: { label: t.fields.compare, onPress: compare },
  };
}

function unlinked(profile: ProfileData, t: Texts, { link }: Ways): Warning | null {
  if (profile.ticket.customer !== null || !profile.bitrix.company) return null;
  return {
    ...{ key: 'unlinked', tone: 'warn', sentence: t.fields.notLinked },
    action: link && { label: t.shell.syncShort, onPress: link },
  };
}

function offered({ bitrix: { adoption } }: ProfileData, t: Texts, { reason }: Ways): Warning | null {
  if (!adoption) return null;
  return {
    ...{ key: 'adoption', tone: 'warn', names: [adoption.customer] },
    sentence: t.adoption.offered(adoption.customer),
    action: { label: t.trust.how, onPress: reason },
  };
}

/** Where Deskside itself found that out; what an agent said needs no word here. */
function adopted({ profile: { bitrix }, now }: Situation, t: Texts, { reason }: Ways): Warning | null {
  if (!bitrix.adopted || bitrix.adopted.by !== null) return null;
  const { customer, at } = bitrix.adopted;
  return {
    ...{ key: 'adopted', tone: 'ok', names: [customer] },
    sentence: t.adoption.became(customer, null, agePhrase(at, now, t)),
    action: { label: t.trust.how, onPress: reason },
  };
}
