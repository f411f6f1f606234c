import type { SyncData } from '@deskside/shared/enrichment';
import { list } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { ShownTrust } from '#i18n/panel/trust.ts';

/**
 * What a preview would do, in one sentence. Empty if it would do nothing.
 * @param trust the level on screen; unless it is confirmed, the sync confirms it
 */
export function previewSentence(sync: SyncData, t: Texts, trust: ShownTrust | null): string {
  const { will } = t.sync;
  const { ticket, customer, changes } = sync;
  if (!customer) return '';
  const { name, created, adopted } = customer;
  const isLinked = ticket.previous_customer === name;
  const does: string[] = [];
  if (created) does.push(will.create(name, changes.length));
  if (adopted) does.push(will.adopt(name));
  if (!isLinked) does.push(will.link(created || adopted ? null : name, ticket.previous_customer));
  if (!created && changes.length > 0) does.push(will.update(changes.length, isLinked && !adopted ? name : null));
  const confirms = trust !== null && trust !== 'confirmed';
  // Of a claim a warning below says so.
  if (confirms && (does.length === 0 || trust === 'likely')) does.push(will.confirm);
  return sentence(does, t);
}

/** What a sync has done, in one or two sentences. */
export function appliedSentence({ ticket, customer, changes, team }: SyncData, t: Texts): string {
  const { did } = t.sync;
  const recorded = customer?.created ? did.create : changes.length > 0 ? did.update(changes.length) : '';
  // Only what was asked for has an answer.
  const sent = team === undefined ? '' : team === null ? did.stay : did.reroute(team);
  return [did.link(ticket.customer ?? ''), recorded, sent].filter(Boolean).join(' ');
}

/** What the undo of a sync would take back and what would stay, to be read before it is pressed. */
export function undoSentences({ ticket, customer }: SyncData, t: Texts): string {
  const { undoes } = t.sync;
  const was = ticket.previous_customer;
  const does = was === ticket.customer ? undoes.confirmation : was === null ? undoes.unlink : undoes.link(was);
  const name = customer?.name ?? '';
  if (customer?.adopted) return `${does} ${undoes.release(name)} ${t.sync.teamStays}`;
  return `${does} ${customer?.created ? undoes.customerStays(name) : undoes.recordStays} ${t.sync.teamStays}`;
}

/** What an undo has done. */
export function undoneSentences({ ticket, customer }: SyncData, { sync }: Texts): string {
  const record = customer?.adopted ? sync.released(customer.name) : sync.recordStays;
  return `${sync.ticketNow(ticket.customer)} ${record} ${sync.teamStays}`;
}

function sentence(parts: readonly string[], { language }: Texts): string {
  const [first = '', ...rest] = list(language, parts);
  return first && `${first.toLocaleUpperCase(language)}${rest.join('')}.`;
}
