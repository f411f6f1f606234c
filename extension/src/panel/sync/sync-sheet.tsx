import type { AdoptionCandidate, SyncData } from '@deskside/shared/enrichment';
import type { Conflict } from '@deskside/shared/envelope';
import type { ProfileData } from '@deskside/shared/profile';
import { useId } from 'react';
import { list } from '#i18n/format.ts';
import { FoundCard } from '#panel/find/find-company.tsx';
import { DeliberateButton } from '#panel/parts/deliberate-button.tsx';
import { Sheet } from '#panel/parts/sheet.tsx';
import { decidingEvidence } from '#panel/parts/trust.ts';
import { addressToReplyFrom } from '#panel/steps/steps.ts';
import { type Texts, useTexts } from '#panel/texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Note } from '#ui/note.tsx';
import { WithNames } from '#ui/with-names.tsx';
import {
  adoptedIn,
  ownByHand,
  previewSentence,
  readerName,
  type SyncFailure,
  syncFailureMessage,
  syncRemedy,
  writtenFields,
} from './sync.ts';
import type { Sync } from './use-sync.ts';

interface SyncSheetProps {
  sync: Sync;
  profile: ProfileData;
  refreshing: boolean;
  onRefresh: () => void;
  onDismiss: () => void;
}

/** What the agent is about to confirm, over the profile: one sentence, one button that has the focus, one way back. */
export function SyncSheet({ sync, profile, refreshing, onRefresh, onDismiss }: SyncSheetProps) {
  const t = useTexts();
  const { preview, busy } = sync;
  if (!preview) return null;
  const { found, failure } = preview;
  const data = failure ? null : preview.sync;
  const title = titleOf(sync, t);
  // Nobody vouches for the sender: what was asked of them is repeated, and Enter alone does not confirm it.
  const isStranger = !found && decidingEvidence(profile.bitrix.lookup_trust)?.code === 'sender_not_of_company';
  const isWriting = refreshing || busy === 'apply' || busy === 'undo';
  return (
    <Sheet key={failure ? 'failed' : 'preview'} title={title} onClose={onDismiss}>
      {found && <FoundCard company={found} />}
      {failure && <Failed failure={failure} profile={profile} />}
      {data && isStranger && <StrangerNote profile={profile} />}
      {data && <Previewed data={data} sync={sync} unavailable={isWriting} />}
      <div className="flex flex-wrap gap-2">
        {data && (
          <DeliberateButton
            first={!isStranger}
            solid
            label={title}
            busy={busy === 'apply'}
            unavailable={refreshing || busy !== null}
            onPress={sync.apply}
          />
        )}
        {failure && <Remedy failure={failure} sync={sync} refreshing={refreshing} onRefresh={onRefresh} />}
        <Button unavailable={isWriting} onClick={onDismiss}>
          {failure ? t.shell.gotIt : t.shell.cancel}
        </Button>
      </div>
      {/* Below the buttons, so that opening it does not move them. */}
      {data && data.changes.length > 0 && <Changes data={data} />}
    </Sheet>
  );
}

/** What the sheet asks, in the words of its button. */
function titleOf({ preview, trust }: Sync, t: Texts): string {
  if (preview?.found) return t.find.link;
  return trust === 'confirmed' ? t.sync.update : t.sync.itsThem;
}

/** The button by which a failure may be mended, if any does that. */
function Remedy({
  failure,
  sync,
  refreshing,
  onRefresh,
}: Pick<SyncSheetProps, 'sync' | 'refreshing' | 'onRefresh'> & { failure: SyncFailure }) {
  const { shell } = useTexts();
  const remedy = syncRemedy(failure);
  if (!remedy) return null;
  const refreshes = remedy === 'refresh';
  return (
    <Button first icon="refresh" unavailable={refreshing} onClick={refreshes ? onRefresh : () => sync.again()}>
      {refreshes ? shell.refresh : shell.tryAgain}
    </Button>
  );
}

/** Nobody vouches for the sender: by what they would have to be known. */
function StrangerNote({ profile }: { profile: ProfileData }) {
  const { sync } = useTexts();
  const asked = addressToReplyFrom(profile);
  return (
    <Note tone="warn" title={sync.notOfShop(profile.ticket.raised_by ?? '')}>
      <p>{asked ? sync.onlyIfReplied(asked) : sync.onlyIfTold}</p>
    </Note>
  );
}

/** What is to be confirmed, with what can still be chosen. */
function Previewed({ data, sync, unavailable }: { data: SyncData; sync: Sync; unavailable: boolean }) {
  const t = useTexts();
  const names = [data.customer?.name ?? null, data.ticket.customer, data.ticket.previous_customer];
  return (
    <>
      <CustomerChoice
        candidates={data.adoptable ?? []}
        choice={adoptedIn(data)}
        unavailable={unavailable}
        onChoose={sync.again}
      />
      <p className="wrap-anywhere">
        <WithNames text={previewSentence(data, sync.trust, t)} names={names} />
      </p>
      {data.team != null && <Reroute team={data.team} sync={sync} unavailable={unavailable} />}
    </>
  );
}

function Changes({ data }: { data: SyncData }) {
  const t = useTexts();
  return (
    <details>
      <summary className="min-h-6 rounded-sm text-xs leading-6 text-ink-3">{t.sync.changes}</summary>
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-y-1 wrap-anywhere">
        {writtenFields(data, t).map(({ label, from, to }) => (
          <div key={label} className="contents">
            <dt className="pe-2 text-ink-3">{label}</dt>
            <dd>
              {from !== null && <del>{from}</del>} <bdi className="font-medium">{to ?? t.sync.nothingBefore}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

interface CustomerChoiceProps {
  candidates: readonly AdoptionCandidate[];
  /** The chosen candidate, null for a new customer. */
  choice: string | null;
  unavailable: boolean;
  onChoose: (adopt: string | null) => void;
}

/**
 * Which customer the company is: one that somebody made by hand, or a new one, unless the ticket's own may be it. Who outside the
 * desk holds one is named: they go on reading what it becomes.
 */
function CustomerChoice({ candidates, choice, unavailable, onChoose }: CustomerChoiceProps) {
  const { sync, failures, language } = useTexts();
  const group = useId();
  if (candidates.length === 0) return null;
  const byHand = ownByHand(candidates);
  const heldBy = (outsiders: readonly string[]) => {
    const readers = outsiders.map((one) => readerName(one, failures));
    return readers.length > 0 && sync.heldBy(list(language, readers));
  };
  const others = candidates.map(({ name, of_ticket, may_adopt, outsiders }) => ({
    name,
    detail: [of_ticket ? sync.onThisTicket : sync.byHand, heldBy(outsiders)].filter(Boolean).join('; '),
    disabled: unavailable || !may_adopt,
  }));
  const options = byHand === null ? [{ name: null, detail: null, disabled: unavailable }, ...others] : others;
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-semibold text-ink-2">{sync.which}</legend>
      {options.map(({ name, detail, disabled }) => (
        <label key={name} className="choice">
          <input
            type="radio"
            name={group}
            checked={choice === name}
            disabled={disabled}
            onChange={() => onChoose(name)}
          />
          <span>
            {name === null ? sync.newOne : <bdi className="font-medium">{name}</bdi>}
            {detail && <span className="text-ink-3 wrap-anywhere">, {detail}</span>}
          </span>
        </label>
      ))}
      {byHand !== null && <p className="mt-1 text-xs text-ink-2">{sync.notTheirs}</p>}
      {candidates.some(({ may_adopt }) => !may_adopt) && <p className="mt-1 text-xs text-ink-2">{sync.mayNotAdopt}</p>}
    </fieldset>
  );
}

/** Whether the ticket also goes to the team that the rules choose, and what that means. */
function Reroute({ team, sync, unavailable }: { team: string; sync: Sync; unavailable: boolean }) {
  const t = useTexts();
  const meaning = useId();
  return (
    <div className="wrap-anywhere">
      <label className="choice">
        <input
          type="checkbox"
          aria-describedby={meaning}
          checked={sync.reroutes}
          disabled={unavailable}
          onChange={(event) => sync.setReroutes(event.currentTarget.checked)}
        />
        <span>
          <WithNames text={t.sync.reroute(team)} names={[team]} />
        </span>
      </label>
      <p id={meaning} className="text-xs text-ink-2">
        {t.sync.rerouteMeans}
      </p>
    </div>
  );
}

function Failed({ failure, profile }: { failure: SyncFailure; profile: ProfileData }) {
  const t = useTexts();
  const { title, body } = syncFailureMessage(failure, t);
  return (
    <Note tone={failure.error?.code === 'identity_conflict' ? 'warn' : 'bad'} title={title}>
      <p>{body}</p>
      {sidesOf(failure, profile, t).map(([label, record]) => (
        <p key={label} className="mt-1 wrap-anywhere">
          {label}: <bdi className="font-medium">{record}</bdi>
        </p>
      ))}
    </Note>
  );
}

function sidesOf(
  { error }: SyncFailure,
  { bitrix }: ProfileData,
  { sync, fields }: Texts,
): [label: string, record: string][] {
  const conflict = error?.conflict;
  const labels: { [code in Conflict['code']]?: [ours: string, theirs: string] } = {
    other_company_matched: [fields.shown, sync.inCrm],
    customer_has_other_orgid: [sync.thisCompany, sync.ofCustomer],
    ticket_has_other_customer: [sync.ofCompany, sync.ofTicket],
    claim_not_confirmed: [sync.ofCompany, sync.ofTicket],
  };
  const [ours, theirs] = (conflict && labels[conflict.code]) ?? [];
  // Not of two records: the sentence says it.
  if (!conflict || !ours || !theirs) return [];
  const known = [bitrix.company, ...bitrix.alternatives];
  const recordOf = (id: string) => {
    if (conflict.code !== 'other_company_matched') return id;
    // Two may have one name, so the shop's owner tells them apart.
    const company = known.find((one) => one?.bitrix_id === id);
    const marks = [company?.company_name, company?.owner_name, company?.owner_phone ?? company?.owner_email];
    return marks.filter(Boolean).join(', ') || fields.unknown;
  };
  return [
    [ours, recordOf(conflict.asked ?? '')],
    [theirs, recordOf(conflict.found ?? '')],
  ];
}
