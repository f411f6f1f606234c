import type { ProfileData } from '@deskside/shared/profile';
import { ago, days, daysAgo, labelFor } from '#i18n/format.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { companiesOf, companyName, otherCustomer } from '#panel/company/companies.ts';
import { hasLeft } from '#panel/facts/facts.tsx';
import { agentName, decidingEvidence } from '#panel/parts/trust.ts';
import { crmErrorOf, failureKinds, passesByItself } from '#panel/status/failure.ts';
import type { Texts } from '#panel/texts/texts.ts';
import { shownTrust } from '#status/status.ts';
import type { IconName } from '#ui/icon.tsx';
import type { Tone } from '#ui/note.tsx';
import { mailtoUrl, safeHttpUrl } from '#ui/safe-url.ts';

/** One thing to do next: a sentence, and what is done about it with one click. */
export interface Step {
  key: string;
  tone: Tone;
  /** The first words, in the tone's colour. */
  lead?: string;
  sentence: string;
  /** Names in the sentence, which stand out. */
  names?: readonly (string | null)[];
  actions?: readonly (NextAction | null)[];
}

/** Something that was changed: a line above the next step, which it does not put out of sight. */
export type Change = Pick<Step, 'key' | 'sentence' | 'names'> & { action?: NextAction | null };

/** A button, or a link. `isDeliberate`: it changes something at once, so it takes a person's own click alone. */
export interface NextAction {
  label: string;
  icon?: IconName;
  href?: string;
  onPress?: () => void;
  unavailable?: boolean;
  busy?: boolean;
  isDeliberate?: boolean;
  /** What is to be known before it is pressed. */
  about?: string;
}

export interface Situation {
  /** As answered, with the leading company. */
  answered: ProfileData;
  /** As shown. */
  profile: ProfileData;
  /** Why the profile could not be updated. */
  failure: PanelError | null;
  online: boolean;
  /** Why nobody knows the shop, though it was searched for; null where it is known or may still be found. */
  nothingFound: string | null;
  link: string;
  now: number;
  t: Texts;
}

/** What the agent can do from here. Null: not now. */
export interface StepActions {
  retry: () => void;
  refresh: () => void;
  insertQuestion: (question: Question) => void;
  /** Previews confirming that the company on screen is the sender's, or that this customer made by hand is it. */
  itsThem: ((adopt?: string) => void) | null;
  /** Lets the agent choose among the ticket's companies, and compare the CRM's companies with one id. */
  choose: () => void;
  compare: () => void;
}

export type Question = keyof Texts['steps']['question'];

type StepRule = (situation: Situation, ways: StepActions) => Step | null;

/** What may be next, by its precedence: the first one that is the case is shown, the others are "more". */
const precedence: readonly StepRule[] = [
  proxyFailed,
  crmFailed,
  shopUnknown,
  notVerified,
  severalCompanies,
  otherCustomerLinked,
  handMadeCustomer,
  twins,
  notLinked,
  planEnded,
  ownerLeft,
];

/** What is next for the agent, most important first. Each fact is said here and nowhere else. */
export function stepsOf(situation: Situation, ways: StepActions): Step[] {
  const { profile, t } = situation;
  const unusable = profile.notes.map(({ field }) => ({
    key: field,
    tone: 'warn' as const,
    sentence: t.steps.unusable(labelFor(t.trust.field, field)),
  }));
  return [...precedence.map((rule) => rule(situation, ways)).filter((step) => step !== null), ...unusable];
}

function proxyFailed({ failure, online, t }: Situation, { retry }: StepActions): Step | null {
  if (failure === null || failure.code === 'offline')
    return online && failure === null ? null : { key: 'offline', tone: 'warn', sentence: t.steps.offline };
  const { passes, forAdministrator } = failureKinds[failure.code];
  const lead = `${t.failures.code[failure.code].title}.`;
  return {
    key: 'failure',
    tone: 'bad',
    lead,
    sentence: passes ? `${t.failures.kept} ${t.crm.retrying}` : t.failures.kept,
    actions: [forAdministrator ? null : { label: t.shell.tryNow, icon: 'refresh', onPress: retry }],
  };
}

/** Failed, switched off or not set up: what is on screen is old, or the helpdesk's own. */
function crmFailed({ profile, now, t }: Situation, { refresh }: StepActions): Step | null {
  const { bitrix, customer, pending } = profile;
  const { status, company, error, outcome } = bitrix;
  if ((status !== 'error' && status !== 'disabled' && status !== 'missing_config') || pending.includes('crm'))
    return null;
  const isFailure = status === 'error';
  const age = bitrix.as_of && ago(t.language, now - Date.parse(bitrix.as_of));
  const known = company ? age && t.crm.staleCompany(age) : customer ? t.crm.ownRecord : null;
  const absent = outcome === 'not_found' && age ? t.crm.lastNotFound(age) : t.crm.notMeansAbsent;
  const passes = isFailure && passesByItself(error?.code);
  const sentences = [
    known,
    isFailure && !company ? absent : null,
    passes ? t.crm.retrying : status === 'disabled' ? null : t.crm.tell,
  ];
  return {
    key: 'crm',
    tone: isFailure ? 'bad' : 'info',
    lead: `${crmErrorOf(bitrix, t)}.`,
    sentence: sentences.filter(Boolean).join(' '),
    actions: [isFailure ? { label: t.shell.tryNow, icon: 'refresh', onPress: refresh } : null],
  };
}

function shopUnknown({ nothingFound, t }: Situation, ways: StepActions): Step | null {
  if (nothingFound === null) return null;
  return { key: 'shop', tone: 'info', sentence: nothingFound, actions: [questionAction(t, ways, 'whichShop')] };
}

function questionAction(t: Texts, { insertQuestion }: StepActions, question: Question): NextAction {
  return { label: t.steps.insertQuestion, icon: 'insert', onPress: () => insertQuestion(question) };
}

function notVerified({ profile, t }: Situation, ways: StepActions): Step | null {
  const level = shownTrust(profile);
  if (level !== 'claimed' && level !== 'unknown') return null;
  const code = decidingEvidence(profile.bitrix.lookup_trust)?.code;
  const step = { key: 'trust', tone: 'warn' as const };
  // Somebody else may read along: nothing of the company goes on this ticket.
  if (code === 'contact_of_other') return { ...step, sentence: t.steps.fixContact };
  if (code === 'made_by_other' || code === 'guest_ticket' || code === 'shared_with_other')
    return { ...step, sentence: t.steps.openOther };
  const address = addressToReplyFrom(profile);
  return {
    ...step,
    names: [address],
    sentence: address ? t.steps.replyFrom(address) : t.steps.ask,
    actions: [questionAction(t, ways, address ? 'fromAddress' : 'whatShopKnows'), itsThem(t, ways)],
  };
}

/** The shop's own address, from which a stranger is asked to reply; null where the CRM has none. */
export function addressToReplyFrom({ bitrix: { company } }: ProfileData): string | null {
  return company?.owner_email ?? company?.company_email ?? null;
}

function itsThem(t: Texts, { itsThem }: StepActions, adopt?: string): NextAction {
  return {
    label: t.steps.itsThem,
    unavailable: itsThem === null,
    onPress: () => itsThem?.(adopt),
    about: itsThem ? '' : t.sync.oldData,
  };
}

function severalCompanies({ answered, profile, t }: Situation, { choose }: StepActions): Step | null {
  const [first, ...more] = companiesOf(answered, t).filter(({ orgId }) => orgId !== profile.bitrix.lookup_value);
  if (!first) return null;
  return {
    key: 'several',
    tone: 'warn',
    names: [first.name],
    sentence: t.steps.alsoNames(first.name, t.trust.tag[first.trust].toLocaleLowerCase(t.language), more.length),
    actions: [{ label: t.steps.choose, onPress: choose }],
  };
}

function otherCustomerLinked({ answered, t }: Situation, ways: StepActions): Step | null {
  const customer = otherCustomer(answered);
  // One that may be the company is asked about instead.
  if (customer === null || answered.customer?.name === answered.bitrix.adoption?.customer) return null;
  const actions = shownTrust(answered) === 'confirmed' ? [itsThem(t, ways)] : [];
  return { key: 'customer', tone: 'warn', names: [customer], sentence: t.steps.otherCustomer(customer), actions };
}

function handMadeCustomer({ profile, t }: Situation, ways: StepActions): Step | null {
  const customer = profile.bitrix.adoption?.customer;
  if (customer === undefined) return null;
  return {
    key: 'adoption',
    tone: 'info',
    names: [customer],
    sentence: t.steps.handMade(customer),
    actions: [itsThem(t, ways, customer)],
  };
}

function twins({ profile, t }: Situation, { compare }: StepActions): Step | null {
  const { length } = profile.bitrix.alternatives;
  if (length === 0) return null;
  return {
    key: 'twins',
    tone: 'warn',
    sentence: t.steps.twins(length + 1),
    actions: [{ label: t.steps.compare, onPress: compare }],
  };
}

/** A company that nobody has linked. An unverified one is asked about first. */
function notLinked({ profile, t }: Situation, ways: StepActions): Step | null {
  const level = shownTrust(profile);
  if (profile.ticket.customer !== null || (level !== 'confirmed' && level !== 'likely')) return null;
  const link = { ...itsThem(t, ways), label: level === 'confirmed' ? t.steps.link : t.steps.itsThem };
  return { key: 'unlinked', tone: 'info', sentence: t.steps.notLinked, actions: [link] };
}

function planEnded({ profile, link, t }: Situation, ways: StepActions): Step | null {
  const { company, responsible: owner } = profile.bitrix;
  const left = company?.shopplan_days_left;
  if (!company || left === undefined || !isPlanDue(profile)) return null;
  const { language, steps } = t;
  const isOver = left < 0;
  const when = isOver
    ? steps.planEnded(daysAgo(language, -left))
    : left === 0
      ? steps.planEndsToday
      : steps.planEnds(days(language, left));
  const isOwnerGone = hasLeft(owner);
  const date = company.shopplan_expiry ?? '';
  const what = isOver ? steps.mail.planEnded(date) : steps.mail.planEnds(date);
  return {
    key: 'plan',
    tone: isOver ? 'bad' : 'warn',
    lead: isOwnerGone ? `${when},` : `${when}.`,
    sentence: isOwnerGone ? steps.ownerLeftToo : '',
    actions: [tellOwner({ profile, link, t }, what), shownTrust(profile) === 'likely' ? itsThem(t, ways) : null],
  };
}

function ownerLeft({ profile, t }: Situation): Step | null {
  // Beside a plan that has ended or ends, it is said with that.
  if (!hasLeft(profile.bitrix.responsible) || isPlanDue(profile)) return null;
  return { key: 'owner', tone: 'warn', sentence: t.steps.ownerLeft, actions: [assign(profile, t)] };
}

/** Whether it has ended, or soon does. */
function isPlanDue({ bitrix: { company } }: ProfileData): boolean {
  const left = company?.shopplan_days_left;
  return left !== undefined && (left < 0 || company?.shopplan_status === 'expiring_soon');
}

/** A mail to the account owner about the ticket's company; where they are gone or have no address, another is to be assigned. */
export function tellOwner(
  { profile, link, t }: Pick<Situation, 'profile' | 'link' | 't'>,
  what: string,
): NextAction | null {
  const { company, responsible: owner } = profile.bitrix;
  const name = company ? companyName(company, t) : '';
  const subject = `#${profile.ticket.name} ${name}: ${what}`;
  const href = mailtoUrl(owner?.email ?? null, { subject, body: `${t.steps.mail.body(name, what)}\n${link}` });
  if (hasLeft(owner) || href === null) return assign(profile, t);
  return { label: t.steps.tell(owner?.name ?? owner?.email ?? ''), icon: 'mail', href };
}

function assign({ bitrix }: ProfileData, t: Texts): NextAction | null {
  const href = safeHttpUrl(bitrix.company?.url ?? null);
  return href ? { label: t.steps.assign, icon: 'external', href } : null;
}

/** Deskside itself found out that a customer made by hand is the company, or an agent said so: it can be taken back. */
export function becameTheirs({ bitrix, names }: ProfileData, t: Texts, undo: (id: string) => void): Change[] {
  const { adopted, company } = bitrix;
  if (!adopted || !company) return [];
  const { id, customer } = adopted;
  const by = adopted.by && agentName(adopted.by, names);
  const sentence = t.steps.becameTheirs(customer, by);
  return [{ key: 'adopted', names: [customer, by], sentence, action: undoAction(t, () => undo(id)) }];
}

export function undoAction(t: Texts, onPress: () => void, more: Partial<NextAction> = {}): NextAction {
  return { label: t.shell.undo, icon: 'undo', isDeliberate: true, onPress, ...more };
}
