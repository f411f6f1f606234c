import type { RoutingDecision } from '@deskside/shared/routing';
import type { PanelError } from '#messaging/protocol.ts';
import { Folded } from '#panel/parts/rows.tsx';
import { usePart } from '#panel/query/use-part.ts';
import { Bones, FailureNote } from '#panel/status/views.tsx';
import { type Texts, useTexts } from '#panel/texts/texts.ts';
import { useAnnounced } from '#ui/announcer.tsx';
import { Button } from '#ui/button.tsx';
import { Decision, decisionModel, teamOf } from './decision.tsx';

/** In the shape of a decision. */
const bones = ['h-3.5 w-4/5', 'h-3.5 w-2/3', 'h-3.5 w-3/4', 'h-3.5 w-1/2'];
const recentMs = 30_000;

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
    <Folded title={routing.title} lazy>
      {open && <Content {...props} />}
    </Folded>
  );
}

function Content({ ticket, group, now }: WhyTeamProps) {
  const t = useTexts();
  const part = usePart('routing.get', ['routing', ticket], { ticket }, { recentMs });
  const { data, failure, isPending, busy, retry } = part;
  const { decisions, names = {}, refused = null } = data ?? {};
  useAnnounced(headline(decisions, failure, t));
  const [latest, ...earlier] = (decisions ?? []).map((decision, nth) => ({
    id: decision.id,
    model: decisionModel(decision, t, { group, now, names, refused, superseded: nth > 0 }),
  }));
  return (
    <div className="flex flex-col gap-2 pb-2" aria-busy={isPending}>
      {failure && <FailureNote code={failure.code} busy={busy} retry={retry} />}
      {!failure && isPending && <Bones label={t.routing.loading} lines={bones} />}
      {decisions?.length === 0 && <None group={group} busy={busy} retry={retry} />}
      {latest && <Decision model={latest.model} />}
      {earlier.map(({ id, model }) => (
        <details key={id} className="border-t border-line pt-2">
          <summary className="min-h-6 rounded-sm text-xs leading-6 font-semibold text-ink-3">
            {t.routing.earlier}: {model.made}
          </summary>
          <Decision model={model} />
        </details>
      ))}
    </div>
  );
}

function headline(decisions: readonly RoutingDecision[] | undefined, failure: PanelError | null, t: Texts) {
  if (failure) return t.failures.code[failure.code].title;
  if (!decisions) return null;
  return decisions[0] ? t.routing.loaded(teamOf(decisions[0]) ?? t.routing.noTeam) : t.routing.none.title;
}

function None({ group, busy, retry }: { group: string | null; busy: boolean; retry: () => void }) {
  const { routing } = useTexts();
  return (
    <>
      <p className="text-ink-2 wrap-anywhere">
        <b className="font-semibold text-ink">{routing.none.title}.</b> {routing.none.body}{' '}
        {group && <bdi>{routing.noneGroup(group)}</bdi>}
      </p>
      <div>
        <Button icon="refresh" busy={busy} onClick={retry}>
          {routing.askAgain}
        </Button>
      </div>
    </>
  );
}
