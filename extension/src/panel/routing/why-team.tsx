import type { RoutingDecision } from '@deskside/shared/routing';
import { useEffect, useRef } from 'react';
import type { Message } from '#i18n/panel/crm-states.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { usePart } from '#panel/query/use-part.ts';
import { FailureNote } from '#panel/status/failure-note.tsx';
import { Bones } from '#panel/status/skeleton.tsx';
import { useAnnounce } from '#ui/announcer.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { Fold } from '#ui/fold/fold.tsx';
import { Decision, EarlierDecision } from './decision.tsx';
import { type DecisionContext, decisionModel, decisionTitle, teamOf } from './decision-model.ts';

/** In the shape of a decision. */
const bones = ['h-3.5 w-4/5', 'h-3.5 w-2/3', 'h-3.5 w-3/4', 'h-3.5 w-1/2'];

interface WhyTeamProps {
  ticket: string;
  /** The ticket's group according to the profile. */
  group: string | null;
  now: number;
}

/** Why the ticket is in its team. Nothing is requested while the section or the panel is closed. */
export function WhyTeam({ open, ...props }: WhyTeamProps & { open: boolean }) {
  const { routing } = useTexts();
  return (
    <Fold id="why_team" title={routing.title}>
      {(asked) => open && <Content {...props} asked={asked} />}
    </Fold>
  );
}

/**
 * The decisions on a ticket: loading, loaded, none, or failed. Brought into view only for an agent who has asked: where the
 * section was left open, the ticket opens at its top all the same.
 */
function Content({ ticket, group, now, asked }: WhyTeamProps & { asked: boolean }) {
  const t = useTexts();
  const announce = useAnnounce();
  const { data: routing, failure, isPending, busy, retry } = usePart('routing.get', ['routing', ticket], { ticket });
  const decisions = routing?.decisions;

  const said = headline(decisions, failure, t);
  const answered = said !== null;
  useEffect(() => {
    if (said !== null) announce(said);
  }, [said, announce]);
  const frame = useRef<HTMLDivElement>(null);
  // The answer makes it larger.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once at first, and once more then.
  useEffect(() => {
    if (asked) frame.current?.scrollIntoView({ block: 'nearest' });
  }, [asked, answered]);

  return (
    <div ref={frame} className="flex scroll-mt-7 flex-col gap-3 pb-3 text-sm" aria-busy={isPending}>
      {failure && <FailureNote error={failure} message={messageOf(failure, t)} busy={busy} retry={retry} />}
      {!failure && isPending && <Bones label={t.routing.loading} lines={bones} />}
      {decisions?.length === 0 && <None group={group} busy={busy} retry={retry} />}
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
