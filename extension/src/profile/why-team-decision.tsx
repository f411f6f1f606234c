import type { ReactNode } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fold } from '../ui/fold.tsx';
import { Note } from '../ui/note.tsx';
import { Tag } from '../ui/tag.tsx';
import { RowList } from './row-groups.tsx';
import { useTexts } from './texts-context.tsx';
import { TrustTag } from './trust.tsx';
import { Candidates, Findings, MetaFailures, Rules } from './why-team-lists.tsx';
import type { DecisionView } from './why-team-view.ts';

/** Most members of a team that are listed without being asked for. */
const fewMembers = 8;

/** One decision: what it was and why, what became of it, and what it rests on, in this order. */
export function WhyTeamDecision({ view }: { view: DecisionView }) {
  const { routing, routingInputs } = useTexts();
  return (
    <>
      <TeamCard view={view} />
      {view.note && (
        <Note tone={view.note.tone} title={view.note.title}>
          {view.note.body && <p>{view.note.body}</p>}
        </Note>
      )}
      <Part title={routing.agent}>
        <p className="wrap-anywhere">
          {view.agent.name && <bdi className="font-medium">{`${view.agent.name} `}</bdi>}
          {view.agent.text}
        </p>
        <Members candidates={view.candidates} />
      </Part>
      <Part title={routingInputs.inputs}>
        <RowList rows={[...view.inputs, ...view.link]}>
          <dt className="text-ink-3">{routingInputs.companyId}</dt>
          <dd className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 wrap-anywhere">
            <OrgId orgId={view.orgId} />
          </dd>
        </RowList>
      </Part>
      {view.findings.length > 0 && (
        <Part title={routingInputs.findings}>
          <Findings findings={view.findings} />
        </Part>
      )}
      {view.failures.length > 0 && (
        <Part title={routingInputs.metaFailures}>
          <MetaFailures failures={view.failures} />
        </Part>
      )}
      <Part title={routing.rules}>
        <Rules rules={view.rules} />
      </Part>
    </>
  );
}

function TeamCard({ view }: { view: DecisionView }) {
  const { routing } = useTexts();
  return (
    <div className="rounded-lg border border-line px-3 py-2.5 wrap-anywhere">
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs text-ink-3">{routing.team}</p>
        {view.mark && <Tag tone={view.mark.tone}>{view.mark.text}</Tag>}
      </div>
      <p className="mt-0.5 text-md font-semibold">
        <bdi>{view.team}</bdi>
      </p>
      <p className="mt-0.5">
        <bdi>{view.why}</bdi>
      </p>
      {view.moved && (
        <p className="mt-1 font-medium text-warn">
          <bdi>{view.moved}</bdi>
        </p>
      )}
      <p className="mt-1 text-xs text-ink-3">
        {view.made} · {view.cause}
      </p>
      <div className="mt-2 flex items-start justify-between gap-1 border-t border-line pt-1.5">
        <figure className="min-w-0 py-1 text-xs text-ink-3">
          <figcaption className="sr-only">{routing.reason}</figcaption>
          <blockquote className="border-s-2 border-line ps-2">
            <bdi>{view.reason}</bdi>
          </blockquote>
        </figure>
        <CopyButton
          text={view.reason}
          label={routing.copyReason}
          done={routing.reasonCopied}
          failed={routing.copyFailed}
        />
      </div>
    </div>
  );
}

function OrgId({ orgId }: Pick<DecisionView, 'orgId'>) {
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

function Members({ candidates }: Pick<DecisionView, 'candidates'>) {
  const { routing } = useTexts();
  if (candidates.length === 0) return null;
  const list = <Candidates candidates={candidates} />;
  return (
    <div className="mt-1.5">
      {candidates.length <= fewMembers ? list : <Fold title={routing.members(candidates.length)}>{list}</Fold>}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h5 className="mb-1.5 text-xs font-semibold text-ink-2">{title}</h5>
      {children}
    </section>
  );
}
