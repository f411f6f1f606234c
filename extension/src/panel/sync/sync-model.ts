import type { FieldChange, SyncData } from '@deskside/shared/enrichment';
import { labelFor } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { ShownTrust } from '#i18n/panel/trust.ts';
import type { Changes, RowGroup } from '#panel/rows/row.ts';
import { siteTime } from '#panel/rows/site-time.ts';
import { previewSentence } from './sync-sentence.ts';

/** What a sync changes or has changed, as rows. `changes`: the previous values. */
interface SyncModel {
  groups: RowGroup[];
  changes: Changes;
}

/**
 * The rows of a preview, a sync or its undo.
 * @param trust the level on screen, to show in a preview that it will change; null: leave it out
 */
export function syncModel(
  { ticket, customer, action, changes }: SyncData,
  t: Texts,
  trust: ShownTrust | null,
): SyncModel {
  const was = new Map<string, string | null>();
  const linked = action === 'preview' ? (customer?.name ?? null) : ticket.customer;
  if (linked !== ticket.previous_customer) was.set('sync.customer', ticket.previous_customer);
  const applied = action === 'apply';
  const confirms = action === 'preview' && trust !== null && trust !== 'confirmed';
  if (confirms) was.set('sync.match', trust === 'checking' ? null : t.trust.tag[trust]);
  const kind = kindOf({ customer, action }, was.has('sync.customer'), t);
  const record = changes.toSorted((a, b) => positionOf(a, t) - positionOf(b, t));
  for (const { field, from } of record) was.set(`sync.${field}`, from && formatValue(field, from, t));
  const customerParts = [
    { key: 'sync.customer', text: linked },
    { key: 'sync.kind', text: kind, tone: 'muted' as const },
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
          label: labelFor(t.sync.field, field),
          parts: [{ key: `sync.${field}`, text: to && formatValue(field, to, t) }],
        })),
      },
    ],
  };
}

/** What is to be known of the customer besides its name. */
function kindOf({ customer, action }: Pick<SyncData, 'customer' | 'action'>, isNew: boolean, t: Texts) {
  if (action === 'undo') return null;
  if (customer?.created) return t.sync.newCustomer;
  if (customer?.adopted) return action === 'preview' ? t.sync.becomes : t.sync.adopted;
  return action === 'preview' && !isNew ? t.sync.linkedAlready : null;
}

/**
 * The screen reader announcement of a sync's result.
 * @param trust as for `previewSentence`
 */
export function syncAnnouncement(sync: SyncData, t: Texts, trust: ShownTrust | null): string {
  const { announce } = t.sync;
  if (sync.action === 'preview') return previewSentence(sync, t, trust) || announce.nothing;
  return sync.action === 'apply' ? announce.apply(sync.ticket.customer ?? '') : announce.undo(sync.ticket.customer);
}

function positionOf({ field }: FieldChange, t: Texts): number {
  const at = Object.keys(t.sync.field).indexOf(field);
  return at < 0 ? Number.MAX_SAFE_INTEGER : at;
}

function formatValue(field: string, value: string, t: Texts): string {
  if (field === 'custom_crm_sync_status') return labelFor(t.sync.status, value);
  if (field === 'custom_crm_match_confidence') return `${value}%`;
  return siteTime(value, t) ?? value;
}
