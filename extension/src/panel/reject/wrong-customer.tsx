import { maxRejectionNote } from '@deskside/shared/limits';
import type { ProfileData, RejectedCompany, RejectionReasonCode } from '@deskside/shared/profile';
import type { RejectionData } from '@deskside/shared/reject-customer';
import { useId, useRef, useState } from 'react';
import { ago } from '#i18n/format.ts';
import type { PanelError, Result, VerbInput } from '#messaging/protocol.ts';
import { companyName } from '#panel/company/companies.ts';
import { DeliberateButton } from '#panel/parts/deliberate-button.tsx';
import { Sheet } from '#panel/parts/sheet.tsx';
import { agentName } from '#panel/parts/trust.ts';
import { ask } from '#panel/query/ask.ts';
import { type Change, type Step, undoAction } from '#panel/steps/steps.ts';
import { failureMessage } from '#panel/sync/sync.ts';
import { type Texts, useTexts } from '#panel/texts/texts.ts';
import { useAnnounce } from '#ui/announcer.tsx';
import { Button } from '#ui/button.tsx';
import { Note } from '#ui/note.tsx';

interface WrongCustomerProps {
  profile: ProfileData;
  rejecting: RejectionForm;
  /** Something else is being read or written. */
  unavailable: boolean;
  onCancel: () => void;
}

const reasons: readonly RejectionReasonCode[] = ['other_company', 'left_company', 'wrong_id', 'other'];

export function WrongCustomer({ profile, rejecting, unavailable, onCancel }: WrongCustomerProps) {
  const t = useTexts();
  const { reject, shell } = t;
  const [code, setCode] = useState<RejectionReasonCode>('other_company');
  const [note, setNote] = useState('');
  const group = useId();
  if (!rejecting.asking) return null;
  const { busy, error } = rejecting;
  const failure = error && failureMessage(error, true, t);
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
      {failure && (
        <Note tone="bad" title={`${t.sync.failed}: ${failure.title}`}>
          <p>{failure.body}</p>
        </Note>
      )}
      <div className="flex flex-wrap gap-2">
        <DeliberateButton
          first
          solid
          label={reject.now}
          busy={busy === 'reject'}
          unavailable={unavailable || busy !== null}
          onPress={() => rejecting.reject({ reason: code, note })}
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

export type RejectionForm = ReturnType<typeof useRejection>;

/** Wrong customer for one ticket. Nothing is retried by itself. `reload`: requests the profile again. */
export function useRejection(profile: ProfileData, reload: () => Promise<unknown>) {
  const t = useTexts();
  const announce = useAnnounce();
  // The form is about one company, and goes when that leaves the screen.
  const [about, setAbout] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [writes, setWrites] = useState(0);
  const [error, setError] = useState<PanelError | null>(null);
  /** What an undo has not given back, and why. */
  const [notPutBack, setNotPutBack] = useState<string | null>(null);
  const running = useRef(false);
  const { company, lookup_value } = profile.bitrix;

  const write = async (what: string, send: () => Promise<Result<RejectionData>>, words: string) => {
    if (running.current) return;
    running.current = true;
    setBusy(what);
    setError(null);
    setNotPutBack(null);
    const result = await send();
    // Whatever the answer was: it may have been done.
    await reload();
    running.current = false;
    setBusy(null);
    if (!result.ok) {
      setError(result.error);
      return announce(t.failures.code[result.error.code].title);
    }
    const { kept } = result.data;
    const left = kept === undefined ? null : t.reject.notPutBack[kept];
    setWrites((count) => count + 1);
    setAbout(null);
    setNotPutBack(left && `${words} ${left}`);
    announce([words, left].filter(Boolean).join(' '));
  };

  return {
    asking: about !== null && about === company?.bitrix_id,
    /** What is being written: a rejection, or the undo of the one with this id. One at a time. */
    busy,
    error,
    notPutBack,
    forget: () => setNotPutBack(null),
    writes,
    ask: () => {
      setError(null);
      setAbout(company?.bitrix_id ?? null);
    },
    cancel: () => setAbout(null),
    reject: (why: Pick<VerbInput<'company.reject'>, 'reason' | 'note'>) => {
      if (company === null || lookup_value === null) return;
      const { name: ticket, customer } = profile.ticket;
      const target = { ticket, company_id: lookup_value, bitrix_id: company.bitrix_id };
      // If the ticket still has the customer that the agent sees.
      const asked = { ...target, expected_customer: customer ?? '', ...why };
      void write('reject', () => ask('company.reject', asked), t.reject.done(companyName(company, t)));
    },
    undo: ({ id, company_name, org_id }: RejectedCompany) =>
      void write(
        id,
        () => ask('company.undoRejection', { ticket: profile.ticket.name, rejection_id: id }),
        t.reject.undone(company_name ?? org_id),
      ),
  };
}

/** What agents have said is not the sender's company, each with its undo, and what one has not given back. */
export function useRejected(
  profile: ProfileData,
  { busy, notPutBack, undo, forget }: RejectionForm,
  now: number,
): Change[] {
  const t = useTexts();
  const { reject } = t;
  const changes = profile.bitrix.rejected.map((rejected): Change => {
    const { id, company_name, org_id, agent, reason, at, ticket } = rejected;
    const isKept = profile.customer?.custom_platform_orgid === org_id;
    const why = reason.note ? `${reject.reason[reason.code]} (${reason.note})` : reject.reason[reason.code];
    const said = `${agentName(agent, profile.names)}, ${ago(t.language, now - Date.parse(at))}: ${why}.`;
    const name = company_name ?? org_id;
    return {
      key: `rejected ${id}`,
      names: [name],
      sentence: [`${reject.rejected(name)}.`, said, isKept ? reject.kept : null].filter(Boolean).join(' '),
      action: undoAction(t, () => undo(rejected), {
        busy: busy === id,
        unavailable: busy !== null,
        about: reject.undoes(ticket === profile.ticket.name),
      }),
    };
  });
  if (notPutBack === null) return changes;
  const read = { label: t.shell.gotIt, onPress: forget };
  return [{ key: 'not put back', sentence: notPutBack, action: read }, ...changes];
}

export function notUndone({ error, asking }: RejectionForm, t: Texts): Step[] {
  if (error === null || asking) return [];
  const { title, body } = failureMessage(error, true, t);
  return [{ key: 'not undone', tone: 'bad', lead: `${t.sync.failed}: ${title}.`, sentence: body }];
}
