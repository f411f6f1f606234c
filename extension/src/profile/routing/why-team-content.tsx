import type { RoutingDecision } from '@deskside/shared/routing';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Message } from '#i18n/panel/crm-states.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { useRetryOnline } from '#profile/query/use-retry-online.ts';
import { asOffline, mayKeepData } from '#profile/status/failure.ts';
import { FailureAction } from '#profile/status/failure-action.tsx';
import { RequestId } from '#profile/status/request-id.tsx';
import { useAnnounce } from '#ui/announcer.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { Fold } from '#ui/fold/fold.tsx';
import { useOnline } from '#ui/hooks/use-online.ts';
import { Note } from '#ui/note.tsx';
import { Decision, EarlierDecision } from './decision.tsx';
import { type DecisionContext, decisionModel, decisionTitle, teamOf } from './decision-model.ts';
import { routingQuery } from './routing-query.ts';

interface WhyTeamContentProps {
  ticket: string;
  group: string | null;
  now: number;
  /** Called when the answer has made the section larger. */
  onAnswered: () => void;
}

/** The decisions on a ticket: loading, loaded, none, or failed. */
export function WhyTeamContent({ ticket, group, now, onAnswered }: WhyTeamContentProps) {
  const t = useTexts();
  const announce = useAnnounce();
  const online = useOnline();
  const query = useQuery(routingQuery(ticket));
  const failure = query.error && asOffline(query.error, online);
  const routing = failure && !mayKeepData(failure.code) ? undefined : query.data;
  const decisions = routing?.decisions;
  const retry = () => void query.refetch();

  const said = headline(decisions, failure, t);
  const answered = said !== null;
  useEffect(() => {
    if (said !== null) announce(said);
  }, [said, announce]);
  useEffect(() => {
    if (answered) onAnswered();
  }, [answered, onAnswered]);

  useRetryOnline(online, query);

  return (
    <div className="flex flex-col gap-3 pb-3 text-sm" aria-busy={query.isPending}>
      {failure && <Failure error={failure} busy={query.isFetching} retry={retry} />}
      {!failure && query.isPending && <Bones label={t.routing.loading} />}
      {decisions?.length === 0 && <None group={group} busy={query.isFetching} retry={retry} />}
      {decisions && decisions.length > 0 && (
        <Decisions decisions={decisions} around={{ group, now, names: routing?.names ?? {} }} />
      )}
    </div>
  );
}

function headline(
  decisions: readonly RoutingDecision[] | undefined,
  failure: PanelError | null,
  t: Texts,
): string | null {
  if (failure) return messageOf(failure, t).title;
  if (!decisions) return null;
  return decisions[0] ? t.routing.loaded(teamOf(decisions[0]) ?? t.routing.noTeam) : t.routing.none.title;
}

function messageOf({ code }: PanelError, { failures, routing }: Texts): Message {
  if (code === 'signed_out' || code === 'unauthenticated') return routing.signedOut;
  return failures.code[code];
}

interface DecisionsProps {
  decisions: readonly RoutingDecision[];
  around: Omit<DecisionContext, 'superseded'>;
}

function Decisions({ decisions, around }: DecisionsProps) {
  const t = useTexts();
  const [latest, ...earlier] = decisions;
  return (
    <>
      {latest && <Decision model={decisionModel(latest, t, { ...around, superseded: false })} />}
      {earlier.length > 0 && (
        <section className="flex flex-col gap-1 border-t border-line pt-3">
          <h5 className="text-xs font-semibold text-ink-2">{t.routing.earlier(earlier.length)}</h5>
          {earlier.map((decision) => (
            <Fold key={decision.id} title={<bdi>{decisionTitle(decision, t)}</bdi>}>
              <EarlierDecision model={decisionModel(decision, t, { ...around, superseded: true })} />
            </Fold>
          ))}
        </section>
      )}
    </>
  );
}

function None({ group, busy, retry }: { group: string | null; busy: boolean; retry: () => void }) {
  const { routing } = useTexts();
  return (
    <>
      <div className="rounded-lg border border-line px-3 py-2.5 wrap-anywhere">
        <p className="font-semibold">{routing.none.title}</p>
        <p className="mt-0.5 text-ink-2">{routing.none.body}</p>
        {group && (
          <p className="mt-1 text-ink-2">
            <bdi>{routing.noneGroup(group)}</bdi>
          </p>
        )}
      </div>
      <div>
        <Button icon="refresh" busy={busy} onClick={retry}>
          {routing.askAgain}
        </Button>
      </div>
    </>
  );
}

function Failure({ error, busy, retry }: { error: PanelError; busy: boolean; retry: () => void }) {
  const t = useTexts();
  const { title, body } = messageOf(error, t);
  const tone = error.code === 'offline' ? 'warn' : error.code === 'signed_out' ? 'info' : 'bad';
  return (
    <>
      <Note tone={tone} title={title}>
        <p>{body}</p>
        <RequestId id={error.requestId} />
      </Note>
      <div className="flex flex-wrap gap-2">
        <FailureAction code={error.code} busy={busy} retry={retry} />
      </div>
    </>
  );
}

/** A placeholder in the shape of a decision. */
function Bones({ label }: { label: string }) {
  return (
    <>
      <p className="sr-only">{label}</p>
      <div aria-hidden="true" className="flex flex-col gap-3">
        <div className="flex h-22 flex-col justify-between rounded-lg border border-line px-3 py-2.5">
          <div className="bone h-3 w-12" />
          <div className="bone h-4.5 w-1/2" />
          <div className="bone h-3.5 w-4/5" />
        </div>
        <div className="bone h-3.5 w-2/3" />
        <div className="bone h-3.5 w-3/4" />
        <div className="bone h-3.5 w-1/2" />
      </div>
    </>
  );
}
