import type { ReactNode } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import { RowList } from '#profile/rows/row-groups.tsx';
import { TrustTag } from '#profile/trust/trust.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Fold } from '#ui/fold.tsx';
import { Note } from '#ui/note.tsx';
import { Tag } from '#ui/tag.tsx';
import { Candidates, Findings, MetaFailures, Rules } from './decision-lists.tsx';
import type { DecisionModel } from './decision-model.ts';

/** Larger teams are listed collapsed. */
const maxListedMembers = 8;

/** One decision: team and reason, agent, inputs, rules. */
export function DecisionDetails({ model }: { model: DecisionModel }) {
  const { routing, routingInputs } = useTexts();
  return (
    <>
      <TeamCard model={model} />
      {model.note && (
        <Note tone={model.note.tone} title={model.note.title}>
          {model.note.body && <p>{model.note.body}</p>}
        </Note>
      )}
      <DecisionSection title={routing.agent}>
        <p className="wrap-anywhere">
          {model.agent.name && <bdi className="font-medium">{`${model.agent.name} `}</bdi>}
          {model.agent.text}
        </p>
        <Members candidates={model.candidates} />
      </DecisionSection>
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
    </>
  );
}

function TeamCard({ model }: { model: DecisionModel }) {
  const { routing } = useTexts();
  return (
    <div className="rounded-lg border border-line px-3 py-2.5 wrap-anywhere">
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs text-ink-3">{routing.team}</p>
        {model.tag && <Tag tone={model.tag.tone}>{model.tag.text}</Tag>}
      </div>
      <p className="mt-0.5 text-md font-semibold">
        <bdi>{model.team}</bdi>
      </p>
      <p className="mt-0.5">
        <bdi>{model.why}</bdi>
      </p>
      {model.moved && (
        <p className="mt-1 font-medium text-warn">
          <bdi>{model.moved}</bdi>
        </p>
      )}
      <p className="mt-1 text-xs text-ink-3">
        {model.made} · {model.cause}
      </p>
      <div className="mt-2 flex items-start justify-between gap-1 border-t border-line pt-1.5">
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
      <TrustTag level={orgId.trust} />
      <bdi className="w-full text-ink-3">{orgId.where}</bdi>
      {orgId.evidence.map((sentence) => (
        <bdi key={sentence} className="w-full text-xs text-ink-2">
          {sentence}
        </bdi>
      ))}
    </>
  );
}

function Members({ candidates }: Pick<DecisionModel, 'candidates'>) {
  const { routing } = useTexts();
  if (candidates.length === 0) return null;
  const list = <Candidates candidates={candidates} />;
  return (
    <div className="mt-1.5">
      {candidates.length <= maxListedMembers ? list : <Fold title={routing.members(candidates.length)}>{list}</Fold>}
    </div>
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
