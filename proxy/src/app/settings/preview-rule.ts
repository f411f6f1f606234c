import type { PreviewedRule, RulePreview } from '@deskside/shared/operator/settings';
import { replayDecision } from '#app/routing/replay-decisions.ts';
import type { RoutingConfig } from '#domain/routing/decide-routing.ts';
import type { Sealer, SettingKinds, SettingsStore } from '#ports/operator/settings.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import { type Actor, requireChange } from './actor.ts';
import { openStored } from './open-stored.ts';
import { readValue } from './read-value.ts';

export interface PreviewNeeds {
  decisions: Pick<Decisions, 'newest'>;
  store: Pick<SettingsStore, 'read'>;
  kinds: Pick<SettingKinds, 'read'>;
  /** Null without a master key. */
  sealer: Sealer | null;
  /** What routing would go by under these values of the store, by name. Throws if they cannot be used. */
  routingUnder: (stored: Readonly<Record<string, string>>) => RoutingConfig;
}

/** How many tickets a rule is tried on: it is done while somebody waits. */
const tried = 500;

/**
 * Where the latest tickets would have gone under another value of a rule; null: without its value in the store. Writes
 * nothing. Throws `SettingRefused` for a value that could not be set.
 */
export async function previewRule(
  ctx: PreviewNeeds,
  actor: Actor,
  { name, value }: { name: PreviewedRule; value: string | null },
): Promise<RulePreview> {
  requireChange(actor);
  const text = value === null ? null : readValue(ctx.kinds, name, value);
  const { settings } = await ctx.store.read();
  const others = openStored(
    settings.filter((one) => one.name !== name),
    ctx.sealer,
  ).stored;
  const config = ctx.routingUnder(text === null ? others : { ...others, [name]: text });
  const preview = { looked: 0, moved: 0, untold: 0 };
  const ways = new Map<string, RulePreview['ways'][number]>();
  for await (const decision of ctx.decisions.newest(tried)) {
    const { was, would, moves } = replayDecision(decision, config);
    preview.looked += 1;
    if (would === null) preview.untold += 1;
    if (would === null || !moves) continue;
    preview.moved += 1;
    const way = ways.get(`${was.team}\n${would.team}`) ?? { from: was.team, to: would.team, tickets: 0 };
    ways.set(`${was.team}\n${would.team}`, { ...way, tickets: way.tickets + 1 });
  }
  return { ...preview, ways: [...ways.values()].toSorted((a, b) => b.tickets - a.tickets) };
}
