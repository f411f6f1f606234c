import type { FieldChange, SyncData } from '@deskside/shared/enrichment';
import type { Texts } from '../i18n/texts.ts';
import type { ShownTrust } from '../i18n/trust.ts';
import type { Changes } from './changes.ts';
import type { RowGroup } from './view-model.ts';

/** What a sync changes, or has changed, as rows; in `changes` the values from before. */
export interface SyncView {
  groups: RowGroup[];
  changes: Changes;
}

/**
 * The rows of a preview, of a sync, or of its undoing; pure.
 * @param trust the level on screen, which a preview says will change; null: leave it out
 */
export function syncView(
  { ticket, customer, action, changes }: SyncData,
  t: Texts,
  trust: ShownTrust | null,
): SyncView {
  const was = new Map<string, string | null>();
  const linked = action === 'preview' ? (customer?.name ?? null) : ticket.customer;
  if (linked !== ticket.previous_customer) was.set('sync.customer', ticket.previous_customer);
  const applied = action === 'apply';
  const confirms = action === 'preview' && trust !== null && trust !== 'confirmed';
  if (confirms) was.set('sync.match', trust === 'checking' ? null : t.trust.tag[trust]);
  const kind = customer?.created ? t.sync.newCustomer : was.has('sync.customer') ? null : t.sync.linkedAlready;
  const record = changes.toSorted((a, b) => placeOf(a, t) - placeOf(b, t));
  for (const { field, from } of record) was.set(`sync.${field}`, from && worded(field, from, t));
  const customerParts = [
    { key: 'sync.customer', text: linked },
    { key: 'sync.kind', text: action === 'preview' || customer?.created ? kind : null, tone: 'muted' as const },
  ];
  return {
    changes: was,
    groups: [
      {
        id: 'sync.ticket',
        title: t.sync.onTicket,
        rows: [
          { label: t.fields.customer, parts: customerParts },
          {
            label: t.sync.match,
            parts: [
              { key: 'sync.match', text: confirms || applied ? t.trust.tag.confirmed : null },
              { key: 'sync.match.by', text: applied ? t.sync.byYou : null, tone: 'muted' },
            ],
          },
        ],
      },
      {
        id: 'sync.record',
        title: t.sync.onRecord,
        rows: record.map(({ field, to }) => ({
          label: labelOf(field, t),
          parts: [{ key: `sync.${field}`, text: to && worded(field, to, t) }],
        })),
      },
    ],
  };
}

/** What a sync comes to, for somebody who hears it. */
export function syncSaid(sync: SyncData, view: SyncView, t: Texts): string {
  const { said } = t.sync;
  if (sync.action === 'preview') return said.preview(view.changes.size);
  return sync.action === 'apply' ? said.apply(sync.ticket.customer ?? '') : said.undo(sync.ticket.customer);
}

/** A field that has no label here was added later; its own name still says which it is. */
function labelOf(field: string, t: Texts): string {
  return Object.hasOwn(t.sync.field, field) ? (t.sync.field[field] ?? field) : field;
}

function placeOf({ field }: FieldChange, t: Texts): number {
  const at = Object.keys(t.sync.field).indexOf(field);
  return at < 0 ? Number.MAX_SAFE_INTEGER : at;
}

function worded(field: string, value: string, t: Texts): string {
  if (field === 'custom_crm_sync_status') return (Object.hasOwn(t.sync.status, value) && t.sync.status[value]) || value;
  if (field === 'custom_crm_match_confidence') return `${value}%`;
  // The helpdesk's own date and time, as the panel shows dates.
  return value.replace(/^(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d)(:\d\d(\.\d+)?)?$/, '$3/$2/$1 $4');
}
