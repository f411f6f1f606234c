import { maxRejectionNote } from '@deskside/shared/limits';
import type { ProfileData } from '@deskside/shared/profile';
import type { RejectionReasonCode } from '@deskside/shared/rejection';
import { useId, useState } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { Button } from '#ui/buttons/button.tsx';
import { DeliberateButton } from '#ui/buttons/deliberate-button.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { RejectionFailed } from './rejected-companies.tsx';
import type { Rejecting } from './use-rejection.ts';

interface WrongCustomerProps {
  profile: ProfileData;
  rejecting: Rejecting;
  /** Something else is being read or written. */
  unavailable: boolean;
  /** Closes the form; the focus returns to what opened it. */
  onCancel: () => void;
}

/** The form of Wrong customer, over the profile once it is asked for. */
export function WrongCustomer({ profile, rejecting, unavailable, onCancel }: WrongCustomerProps) {
  const { reject, sync } = useTexts();
  const [code, setCode] = useState<RejectionReasonCode>('other_company');
  const [note, setNote] = useState('');
  const group = useId();
  if (!rejecting.asking) return null;
  const { busy, error } = rejecting;
  const { customer } = profile;
  const isLinked = customer?.custom_crm_company_id === profile.bitrix.company?.bitrix_id || isOf(profile);
  return (
    <Sheet title={reject.title} onClose={onCancel}>
      <p className="wrap-anywhere">{`${reject.does(isLinked ? (customer?.name ?? null) : null)} ${reject.after}`}</p>
      <fieldset>
        <legend className="mb-1 text-xs font-semibold text-ink-2">{reject.why}</legend>
        {reasons.map((one) => (
          <label key={one} className="flex min-h-7 cursor-pointer items-center gap-2">
            <input
              type="radio"
              name={group}
              className="size-4 shrink-0 accent-link"
              checked={code === one}
              onChange={() => setCode(one)}
            />
            {reject.reason[one]}
          </label>
        ))}
      </fieldset>
      <label className="flex flex-col gap-1">
        <span className="text-xs font-semibold text-ink-2">{reject.note}</span>
        <input
          type="text"
          className="min-h-8 rounded-md border border-edge bg-paper px-2 text-sm text-ink"
          maxLength={maxRejectionNote}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      {error && <RejectionFailed error={error} />}
      <div className="flex flex-wrap gap-2">
        <DeliberateButton
          solid
          label={reject.now}
          icon="close"
          busy={busy === 'reject'}
          unavailable={unavailable || busy !== null}
          onPress={() => rejecting.reject({ code, note })}
          covered={sync.covered}
        />
        <Button unavailable={busy !== null} onClick={onCancel}>
          {reject.cancel}
        </Button>
      </div>
    </Sheet>
  );
}

const reasons: readonly RejectionReasonCode[] = ['other_company', 'left_company', 'wrong_id', 'other'];

function isOf({ customer, bitrix }: ProfileData): boolean {
  return customer !== null && customer.custom_platform_orgid === bitrix.lookup_value;
}
