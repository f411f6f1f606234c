import type { PreviewedRule, RulePreview } from '@deskside/shared/operator/settings';
import { replayDecision } from '#app/routing/replay-decisions.ts';
import type { SettingKinds } from '#ports/operator/settings.ts';
import type { Store } from '#store/store.ts';
import { type Actor, requireChange } from './actor.ts';
import { openStored } from './open-stored.ts';
import { readValue } from './read-value.ts';
import type { Settings } from './settings.ts';

interface Needs {
  decisions: Pick<Store['decisions'], 'newest'>;
  settings: Pick<Settings, 'sealer' | 'routingUnder'> & {
    store: Pick<Store['settings'], 'read'>;
    kinds: Pick<SettingKinds, 'read'>;
  };
}

/** How many tickets a rule is tried on: it is done while somebody waits. */
const tried = 500;

/**
 * Where the latest tickets would have gone under another value of a rule; null: without its value in the store. Writes
 * nothing. Throws `SettingRefused` for a value that could not be set.
 */
export async function previewRule(
  { decisions, settings }: Needs,
  { actor, name, value }: { actor: Actor; name: PreviewedRule; value: string | null },
): Promise<RulePreview> {
  requireChange(actor);
  const text = value === null ? null : readValue(settings.kinds, name, value);
  const { settings: all } = await settings.store.read();
  const others = openStored(
    all.filter((one) => one.name !== name),
    settings.sealer,
  ).stored;
  const config = settings.routingUnder(text === null ? others : { ...others, [name]: text });
  const preview = { looked: 0, moved: 0, untold: 0 };
  const ways = new Map<string, RulePreview['ways'][number]>();
  for await (const decision of decisions.newest(tried)) {
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
