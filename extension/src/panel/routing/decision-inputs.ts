import type { Finding, RoutingDecision } from '@deskside/shared/routing';
import { labelFor, span } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { Part, Row } from '#panel/rows/row.ts';
import { fieldLabel } from '#panel/trust/trust-reason.ts';

/** A finding of intake: what was found, how, where, the quoted text, and the address fetched for it. */
export interface FindingModel {
  key: string;
  value: string;
  kind: string;
  where: string;
  quote: string;
  address: string | null;
}

/** Maximum length of text from outside. */
const maxLength = 200;

/** Shortens text from outside. */
export function truncate(text: string): string {
  const characters = Array.from(text);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : text;
}

export function findingModel({ kind, value, source, field, quote, address }: Finding, t: Texts): FindingModel {
  return {
    key: [kind, value, source, field, quote].join(' '),
    value: truncate(value),
    kind: t.routingInputs.found[kind],
    where: sourcePhrase(source, field, t),
    quote: truncate(quote),
    address: address && truncate(address),
  };
}

/** Where something was found: how, and the label of the field. */
export function sourcePhrase(source: string, field: string, t: Texts): string {
  const { source: sources, field: labels } = t.routingInputs;
  const how = labelFor(sources, source);
  const where = Object.hasOwn(labels, field) ? labels[field] : fieldLabel(field, t);
  return source === 'customer_name' ? how : `${how} (${where})`;
}

/** The decision's other inputs, as rows. */
export function inputRows({ inputs, outcome, decided_at }: RoutingDecision, t: Texts): Row[] {
  const { routingInputs: texts } = t;
  const { customer, crm, agent_group: group, adoption } = inputs;
  const company = inputs.looked_up ?? customer;
  const segment = company ? company.segment : inputs.ticket_segment;
  const checked = (at: string | null) => at && ageAt(at, decided_at, t);
  const rows: Row[] = [
    row(texts.customer, [
      customer ? part('customer', customer.name) : muted('customer', texts.noCustomer),
      muted('customer.age', customer && checked(customer.checked_at)),
    ]),
    row(texts.segment, [
      segment ? part('segment', segment) : muted('segment', texts.notSet),
      muted(
        'segment.of',
        segment &&
          texts.segmentOf[
            inputs.looked_up || customer?.source === 'crm' ? 'company' : customer ? 'customer' : 'ticket'
          ],
      ),
    ]),
    row(texts.plan, [company?.shop_plan ? part('plan', company.shop_plan) : muted('plan', texts.notSet)]),
    row(texts.countsAs, [
      part('counts', outcome.team && [...new Set([outcome.segment, outcome.shopplan])].join(' · ')),
    ]),
  ];
  if (adoption) {
    const { label, done, offeredOnly } = t.adoption;
    rows.push(
      row(label, [part('adoption', adoption.customer), muted('adoption.done', adoption.done ? done : offeredOnly)]),
    );
  }
  if (crm)
    rows.push(
      row(texts.crm, [
        part('crm', texts.crmStatus[crm.status], crm.status === 'error' ? 'warn' : undefined),
        part('crm.error', crm.error && texts.crmError[crm.error], 'warn'),
        part('crm.stale', crm.stale ? texts.oldData : null, 'warn'),
        muted('crm.age', checked(crm.checked_at)),
      ]),
    );
  if (group)
    rows.push(row(texts.groupBefore, [part('group', group.name), muted('group.by', texts.setBy[group.set_by])]));
  return rows.filter(({ parts }) => parts.length > 0);
}

/** How old an input was when the decision was made. */
function ageAt(checkedAt: string, decidedAt: string, t: Texts): string | null {
  const age = Date.parse(decidedAt) - Date.parse(checkedAt);
  if (Number.isNaN(age)) return null;
  const words = span(t.language, age);
  return words === null ? t.routingInputs.checkedThen : t.routingInputs.checkedBefore(words);
}

function part(key: string, text: string | null, tone?: Part['tone']): Part {
  return { key: `why.${key}`, text, ...(tone && { tone }) };
}
function muted(key: string, text: string | null): Part {
  return part(key, text, 'muted');
}
function row(label: string, parts: Part[]): Row {
  return { label, parts: parts.filter(({ text }) => text !== null) };
}
