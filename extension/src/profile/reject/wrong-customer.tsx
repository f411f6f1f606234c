import { maxRejectionNote } from '@deskside/shared/limits';
import type { ProfileData } from '@deskside/shared/profile';
import type { RejectionReasonCode } from '@deskside/shared/rejection';
import { useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import { Button } from '#ui/buttons/button.tsx';
import { DeliberateButton } from '#ui/buttons/deliberate-button.tsx';
import { RejectionFailed } from './rejection-failed.tsx';
import type { Rejecting } from './use-rejection.ts';

interface WrongCustomerProps {
  profile: ProfileData;
  rejecting: Rejecting;
  /** Something else is being read or written. */
  unavailable: boolean;
}

/** The button below a company, and the form that it opens. Nothing where the proxy cannot reject. */
export function WrongCustomer({ profile, rejecting, unavailable }: WrongCustomerProps) {
  const { reject } = useTexts();
  const opener = useRef<HTMLButtonElement>(null);
  const { company, lookup_value, rejected } = profile.bitrix;
  const returns = useRef(false);
  useEffect(() => {
    if (!rejecting.asking && returns.current) opener.current?.focus();
    returns.current = false;
  }, [rejecting.asking]);
  const hasCompany = company !== null;
  const { done } = rejecting;
  useEffect(() => {
    if (done === 'undone' && hasCompany) opener.current?.focus();
  }, [done, hasCompany]);
  if (company === null || lookup_value === null || rejected === undefined) return null;
  if (rejecting.asking)
    return (
      <Form
        profile={profile}
        rejecting={rejecting}
        unavailable={unavailable}
        onCancel={() => {
          returns.current = true;
          rejecting.cancel();
        }}
      />
    );
  return (
    <div className="border-t border-line px-4 py-2.5">
      <Button ref={opener} unavailable={unavailable} onClick={rejecting.ask}>
        {reject.button}
      </Button>
    </div>
  );
}

function Form({ profile, rejecting, unavailable, onCancel }: WrongCustomerProps & { onCancel: () => void }) {
  const { reject, sync } = useTexts();
  const [code, setCode] = useState<RejectionReasonCode>('other_company');
  const [note, setNote] = useState('');
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [id, group] = [useId(), useId()];
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const { busy, error } = rejecting;
  const { customer, company } = { customer: profile.customer, company: profile.bitrix.company };
  const isLinked = customer?.custom_crm_company_id === company?.bitrix_id || isOf(profile);
  const blocked = unavailable || busy !== null;
  return (
    <section ref={section} aria-labelledby={id} className="border-t border-line px-4 pt-3 pb-4">
      <h3 id={id} ref={heading} tabIndex={-1} className="mb-2 text-md font-semibold">
        {reject.title}
      </h3>
      <div className="flex flex-col gap-3 text-sm">
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
            unavailable={blocked}
            onPress={() => rejecting.reject({ code, note })}
            texts={{ ...sync.covered, cancel: sync.cancel }}
          />
          <Button unavailable={busy !== null} onClick={onCancel}>
            {reject.cancel}
          </Button>
        </div>
      </div>
    </section>
  );
}

const reasons: readonly RejectionReasonCode[] = ['other_company', 'left_company', 'wrong_id', 'other'];

function isOf({ customer, bitrix }: ProfileData): boolean {
  return customer !== null && customer.custom_platform_orgid === bitrix.lookup_value;
}
