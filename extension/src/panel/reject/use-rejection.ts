import type { ProfileData } from '@deskside/shared/profile';
import type { RejectionData } from '@deskside/shared/reject-customer';
import type { RejectedCompany, RejectionReason } from '@deskside/shared/rejection';
import { useRef, useState } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { PanelError, Result } from '#messaging/protocol.ts';
import { ask } from '#panel/query/ask.ts';
import { useAnnounce } from '#ui/announcer.tsx';

export type Rejecting = ReturnType<typeof useRejection>;

/** Wrong customer for one ticket. Nothing is retried by itself. `reload`: requests the profile again. */
export function useRejection(profile: ProfileData, reload: () => Promise<unknown>) {
  const t = useTexts();
  const announce = useAnnounce();
  // The form is about one company, and goes when that leaves the screen.
  const [about, setAbout] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [done, setDone] = useState<{ id: string } | 'undone' | null>(null);
  const [error, setError] = useState<PanelError | null>(null);
  const running = useRef(false);
  const company = profile.bitrix.company?.bitrix_id ?? null;

  const write = async (what: string, send: () => Promise<Result<RejectionData>>, words: string) => {
    if (running.current) return;
    running.current = true;
    setBusy(what);
    setError(null);
    const result = await send();
    // Before the profile comes that shows it.
    if (result.ok) setDone(result.data.action === 'undo' ? 'undone' : { id: result.data.rejection_id });
    // Whatever the answer was: it may have been done.
    await reload();
    running.current = false;
    setBusy(null);
    if (result.ok) setAbout(null);
    else setError(result.error);
    announce(result.ok ? words : t.failures.code[result.error.code].title);
  };

  return {
    /** Whether the form is open. */
    asking: about !== null && about === company,
    /** What is being written: a rejection, or the undo of the one with this id. One at a time. */
    busy,
    error,
    /** What has just been done, so that the focus goes where its result is: the rejection with this id, or an undo. */
    done,
    ask: () => {
      setError(null);
      setAbout(company);
    },
    cancel: () => {
      setError(null);
      setAbout(null);
    },
    reject: (reason: RejectionReason) => {
      const { ticket, bitrix } = profile;
      if (bitrix.company === null || bitrix.lookup_value === null) return;
      const target = { ticket: ticket.name, companyId: bitrix.lookup_value, bitrixId: bitrix.company.bitrix_id };
      // If the ticket still has the customer that the agent sees.
      const asked = { ...target, expectedCustomer: ticket.customer, reason };
      void write('reject', () => ask('company.reject', asked), t.reject.done(nameOf(bitrix.company)));
    },
    undo: (rejected: RejectedCompany) =>
      void write(
        rejected.id,
        () => ask('company.undoRejection', { ticket: profile.ticket.name, rejectionId: rejected.id }),
        t.reject.undone(rejected.company_name ?? rejected.org_id),
      ),
  };
}

function nameOf(company: ProfileData['bitrix']['company']): string {
  return company?.company_name ?? company?.company_id ?? '';
}
