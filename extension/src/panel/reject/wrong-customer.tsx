import { maxRejectionNote } from '@deskside/shared/limits';
import type { ProfileData } from '@deskside/shared/profile';
import type { RejectionReasonCode } from '@deskside/shared/rejection';
import { useId, useState } from 'react';
import { ambiguous } from '#panel/sync/sync.ts';
import { useTexts } from '#panel/texts-context.ts';
import { Button } from '#ui/button.tsx';
import { DeliberateButton } from '#ui/deliberate-button.tsx';
import { Note } from '#ui/note.tsx';
import { Sheet } from '#ui/sheet.tsx';
import type { Rejecting } from './use-rejection.ts';

interface WrongCustomerProps {
  profile: ProfileData;
  rejecting: Rejecting;
  /** Something else is being read or written. */
  unavailable: boolean;
  /** Closes the form; the focus returns to what opened it. */
  onCancel: () => void;
}

const reasons: readonly RejectionReasonCode[] = ['other_company', 'left_company', 'wrong_id', 'other'];

/** The form of Wrong customer, over the profile once it is asked for. */
export function WrongCustomer({ profile, rejecting, unavailable, onCancel }: WrongCustomerProps) {
  const t = useTexts();
  const { reject, shell } = t;
  const [code, setCode] = useState<RejectionReasonCode>('other_company');
  const [note, setNote] = useState('');
  const group = useId();
  if (!rejecting.asking) return null;
  const { busy, error } = rejecting;
  const linked = isLinked(profile) ? (profile.customer?.name ?? null) : null;
  return (
    <Sheet title={reject.title} onClose={onCancel}>
      <p className="wrap-anywhere">{`${reject.does(linked)} ${reject.after}`}</p>
      <fieldset>
        <legend className="mb-1 text-xs font-semibold text-ink-2">{reject.why}</legend>
        {reasons.map((one) => (
          <label key={one} className="choice">
            <input type="radio" name={group} checked={code === one} onChange={() => setCode(one)} />
            {reject.reason[one]}
          </label>
        ))}
      </fieldset>
      <label className="flex flex-col gap-1">
        <span className="text-xs font-semibold text-ink-2">{reject.note}</span>
        <input
          type="text"
          className="field"
          maxLength={maxRejectionNote}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      {error && (
        <Note tone="bad" title={`${t.sync.failed}: ${t.failures.code[error.code].title}`}>
          <p>{t.failures.code[error.code].body}</p>
          {ambiguous.has(error.code) && <p>{t.sync.unsure}</p>}
        </Note>
      )}
      <div className="flex flex-wrap gap-2">
        <DeliberateButton
          first
          solid
          label={reject.now}
          busy={busy === 'reject'}
          unavailable={unavailable || busy !== null}
          onPress={() => rejecting.reject({ code, note })}
          covered={shell.covered}
        />
        <Button unavailable={busy !== null} onClick={onCancel}>
          {shell.cancel}
        </Button>
      </div>
    </Sheet>
  );
}

/** Whether the ticket's customer stands for the company on screen. */
function isLinked({ customer, bitrix }: ProfileData): boolean {
  if (customer === null) return false;
  const { custom_crm_company_id: crmId, custom_platform_orgid: orgId } = customer;
  return crmId === bitrix.company?.bitrix_id || orgId === bitrix.lookup_value;
}
