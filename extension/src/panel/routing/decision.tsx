import type { ReactNode } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { RowList } from '#panel/rows/row-groups.tsx';
import { TrustTag } from '#panel/trust/trust-level.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Fold } from '#ui/fold/fold.tsx';
import { Note } from '#ui/note.tsx';
import { WithNames } from '#ui/with-names.tsx';
import { Candidates, Findings, MetaFailures, Rules } from './decision-lists.tsx';
import type { DecisionModel } from './decision-model.ts';

/** Larger teams are listed collapsed. */
const maxListedMembers = 8;

/** One decision: a sentence, what failed, and everything else as details. */
export function Decision({ model }: { model: DecisionModel }) {
  const { routing } = useTexts();
  return (
    <>
      <DecisionSentence model={model} />
      <Fold id="why_team_details" title={routing.details}>
        <DecisionDetails model={model} />
      </Fold>
    </>
  );
}

/** An earlier decision, which is folded as a whole. */
export function EarlierDecision({ model }: { model: DecisionModel }) {
  return (
    <div className="flex flex-col gap-3 pb-2">
      <DecisionSentence model={model} />
      <DecisionDetails model={model} />
    </div>
  );
}

function DecisionSentence({ model: { sentence, names, moved, note } }: { model: DecisionModel }) {
  return (
    <>
      <p className="text-ink wrap-anywhere">
        <WithNames text={sentence} names={names} />
      </p>
      {moved && (
        <p className="font-medium text-warn wrap-anywhere">
          <bdi>{moved}</bdi>
        </p>
      )}
      {note && (
        <Note tone={note.tone} title={note.title}>
          {note.body && <p>{note.body}</p>}
        </Note>
      )}
    </>
  );
}

function DecisionDetails({ model }: { model: DecisionModel }) {
  const { routing, routingInputs } = useTexts();
  return (
    <div className="flex flex-col gap-3">
      <Reason model={model} />
      {model.candidates.length > 0 && (
        <DecisionSection title={routing.agent}>
          <Members candidates={model.candidates} />
        </DecisionSection>
      )}
      <DecisionSection title={routingInputs.inputs}>
        <RowList rows={[...model.inputs, ...model.link]}>
          <dt className="text-ink-3">{routingInputs.companyId}</dt>
          <dd className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 wrap-anywhere">
            <OrgId orgId={model.orgId} />
          </dd>
        </RowList>
      </DecisionSection>
      {model.findings.length > 0 && (
        <DecisionSection title={routingInputs.findings}>
          <Findings findings={model.findings} />
        </DecisionSection>
      )}
      {model.failures.length > 0 && (
        <DecisionSection title={routingInputs.metaFailures}>
          <MetaFailures failures={model.failures} />
        </DecisionSection>
      )}
      <DecisionSection title={routing.rules}>
        <Rules rules={model.rules} />
      </DecisionSection>
    </div>
  );
}

/** When it was made, and the reason as it is on the ticket, to be copied. */
function Reason({ model }: { model: DecisionModel }) {
  const { routing } = useTexts();
  return (
    <div className="wrap-anywhere">
      <p className="text-xs text-ink-3">
        {model.made} · {model.cause}
      </p>
      <div className="mt-1 flex items-start justify-between gap-1">
        <figure className="min-w-0 py-1 text-xs text-ink-3">
          <figcaption className="sr-only">{routing.reason}</figcaption>
          <blockquote className="border-s-2 border-line ps-2">
            <bdi>{model.reason}</bdi>
          </blockquote>
        </figure>
        <CopyButton
          text={model.reason}
          label={routing.copyReason}
          done={routing.reasonCopied}
          failed={routing.copyFailed}
        />
      </div>
    </div>
  );
}

function OrgId({ orgId }: Pick<DecisionModel, 'orgId'>) {
  const { routingInputs } = useTexts();
  if (!orgId) return <span className="text-ink-3">{routingInputs.noCompanyId}</span>;
  return (
    <>
      <bdi>{orgId.value}</bdi>
      <TrustTag level={orgId.trust} words={orgId.words} />
      <bdi className="w-full text-ink-3">{orgId.where}</bdi>
      {orgId.reason && <bdi className="w-full text-xs text-ink-2">{orgId.reason}</bdi>}
    </>
  );
}

function Members({ candidates }: Pick<DecisionModel, 'candidates'>) {
  const { routing } = useTexts();
  const list = <Candidates candidates={candidates} />;
  return candidates.length <= maxListedMembers ? (
    list
  ) : (
    <Fold id="members" title={routing.members(candidates.length)}>
      {list}
    </Fold>
  );
}

function DecisionSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h5 className="mb-1.5 text-xs font-semibold text-ink-2">{title}</h5>
      {children}
    </section>
  );
}
