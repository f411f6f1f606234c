import type { ProfileData } from '@deskside/shared/profile';
import type { RejectionData } from '@deskside/shared/reject-customer';
import type { RejectedCompany, RejectionReason } from '@deskside/shared/rejection';
import { useRef, useState } from 'react';
import type { PanelError, Result } from '#messaging/protocol.ts';
import { companyName } from '#panel/head.tsx';
import { ask } from '#panel/query/ask.ts';
import { agePhrase } from '#panel/status/freshness.ts';
import { type Step, undoAction } from '#panel/steps/steps.ts';
import { ambiguous } from '#panel/sync/sync.ts';
import { useTexts } from '#panel/texts-context.ts';
import { useAnnounce } from '#ui/announcer.tsx';

export type Rejecting = ReturnType<typeof useRejection>;

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
    /** Whether the form is open. */
    asking: about !== null && about === company?.bitrix_id,
    /** What is being written: a rejection, or the undo of the one with this id. One at a time. */
    busy,
    error,
    notPutBack,
    /** The agent has read it. */
    forget: () => setNotPutBack(null),
    /** How often something was written. */
    writes,
    ask: () => {
      setError(null);
      setAbout(company?.bitrix_id ?? null);
    },
    cancel: () => setAbout(null),
    reject: (reason: RejectionReason) => {
      if (company === null || lookup_value === null) return;
      const { name: ticket, customer: expectedCustomer } = profile.ticket;
      const target = { ticket, companyId: lookup_value, bitrixId: company.bitrix_id };
      // If the ticket still has the customer that the agent sees.
      const asked = { ...target, expectedCustomer, reason };
      void write('reject', () => ask('company.reject', asked), t.reject.done(companyName(company, t)));
    },
    undo: ({ id, company_name, org_id }: RejectedCompany) =>
      void write(
        id,
        () => ask('company.undoRejection', { ticket: profile.ticket.name, rejectionId: id }),
        t.reject.undone(company_name ?? org_id),
      ),
  };
}

/** What agents have said is not the sender's company, each with its undo; and why one was not taken back. */
export function useRejectedSteps(profile: ProfileData, rejecting: Rejecting, now: number): Step[] {
  const t = useTexts();
  const { reject, failures, sync } = t;
  const { busy, error, asking, notPutBack, forget } = rejecting;
  const steps = profile.bitrix.rejected.map((rejected): Step => {
    const { id, company_name, org_id, agent, reason, at, ticket } = rejected;
    const isKept = profile.customer?.custom_platform_orgid === org_id;
    const why = reason.note ? `${reject.reason[reason.code]} (${reason.note})` : reject.reason[reason.code];
    const said = `${reject.said(agent, agePhrase(at, now, t))}: ${why}.`;
    const undoes = reject.undoes(ticket === profile.ticket.name);
    const undo = undoAction(t, () => rejecting.undo(rejected), {
      busy: busy === id,
      unavailable: busy !== null,
      about: undoes,
    });
    return {
      ...{ key: `rejected ${id}`, tone: 'neutral', lead: `${reject.rejected(company_name ?? org_id)}.` },
      sentence: [said, isKept ? reject.kept : null].filter(Boolean).join(' '),
      actions: [undo],
    };
  });
  if (notPutBack)
    steps.unshift({
      ...{ key: 'not put back', tone: 'warn', sentence: notPutBack },
      actions: [{ label: t.shell.gotIt, onPress: forget }],
    });
  if (error === null || asking) return steps;
  const { title, body } = failures.code[error.code];
  const unsure = ambiguous.has(error.code) ? ` ${sync.unsure}` : '';
  return [{ key: 'not undone', tone: 'bad', lead: `${sync.failed}: ${title}.`, sentence: body + unsure }, ...steps];
}
