import type { Conflict } from '@deskside/shared/envelope';
import type { ProfileData } from '@deskside/shared/profile';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Note } from '#ui/note.tsx';
import { mayHaveApplied, type SyncFailure, syncFailureMessage, syncRemedy } from './sync-failure.ts';

interface SyncFailedProps {
  failure: SyncFailure;
  bitrix: ProfileData['bitrix'];
  onRefresh: () => void;
  /** Null while no preview can be requested. */
  onAgain: (() => void) | null;
  onDismiss: () => void;
}

/** Why a sync failed, what that means for the ticket, and the action that helps. */
export function SyncFailed({ failure, bitrix, onRefresh, onAgain, onDismiss }: SyncFailedProps) {
  const t = useTexts();
  const { error } = failure;
  const { title, body } = syncFailureMessage(failure, t);
  const remedy = syncRemedy(failure);
  return (
    <>
      <Note tone={error?.code === 'identity_conflict' ? 'warn' : 'bad'} title={title}>
        <p>{body}</p>
        {mayHaveApplied(failure) && <p>{t.sync.unsure}</p>}
        {error?.conflict && <SyncConflict conflict={error.conflict} bitrix={bitrix} />}
      </Note>
      <div className="flex flex-wrap gap-2">
        {remedy === 'refresh' && (
          <Button icon="refresh" onClick={onRefresh}>
            {t.shell.refresh}
          </Button>
        )}
        {remedy === 'again' && (
          <Button icon="refresh" unavailable={onAgain === null} onClick={() => onAgain?.()}>
            {t.shell.tryAgain}
          </Button>
        )}
        <Button onClick={onDismiss}>{t.sync.gotIt}</Button>
      </div>
    </>
  );
}

interface SyncConflictProps {
  conflict: Conflict;
  bitrix: ProfileData['bitrix'];
}

/** The two conflicting records side by side. */
function SyncConflict({ conflict: { code, asked, found }, bitrix }: SyncConflictProps) {
  const { sync } = useTexts();
  const sides = {
    other_company_matched: [sync.onScreen, sync.inCrm],
    customer_has_other_orgid: [sync.thisCompany, sync.ofCustomer],
    ticket_has_other_customer: [sync.ofCompany, sync.ofTicket],
    claim_not_confirmed: [sync.ofCompany, sync.ofTicket],
    // An account and a ticket: the sentence says it.
    read_by_other: null,
    // What the helpdesk has against it: the same.
    write_refused: null,
  }[code];
  if (sides === null) return null;
  const known = [bitrix.company, ...bitrix.alternatives];
  const nameOf = (id: string) =>
    code === 'other_company_matched' ? known.find((company) => company?.bitrix_id === id)?.company_name : null;
  return (
    <dl className="my-2 grid grid-cols-2 gap-2">
      {[asked, found].map((id, at) => (
        <div key={sides[at]} className="rounded-md border border-line bg-paper px-2.5 py-2 text-ink wrap-anywhere">
          <dt className="text-xs text-ink-3">{sides[at]}</dt>
          <dd className="mt-0.5 font-medium">
            {nameOf(id) && <bdi className="block">{nameOf(id)}</bdi>}
            <bdi>{code === 'other_company_matched' ? sync.crmId(id) : id}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
