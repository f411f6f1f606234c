import fc from 'fast-check';
import { firstFacts, orgIds } from './cast.ts';
import { verbs, writes } from './desk.ts';
import { forgeries, tickets } from './incoming.ts';
import { judge } from './judge.ts';
import type { Life } from './life.ts';
import { loopOnce, systems } from './systems.ts';
import { watch } from './watch.ts';
import { makeWorld, type Setting, type Violation } from './world.ts';

/** A finding's cause: its rule, and of what it is. */
const causeOf = ({ rule, part }: Violation) => (part === '' ? rule : `${rule} (${part})`);

const deeds = fc.commands([fc.oneof(...tickets, ...verbs, ...writes, ...forgeries, ...systems)], {
  maxCommands: 32,
  size: 'max',
});

const setting = fc.record<Setting>({
  generation: fc.constantFrom('1.24', '1.28'),
  claims: fc.constantFrom('accept', 'hold'),
  accounts: fc.constantFrom('known', 'known', 'unknown'),
  processes: fc.constantFrom(1, 2),
  crashes: fc.boolean(),
  chance: fc.integer(),
});

/** What a life came to. */
export interface LifeReport {
  /** What happened, for a person to read. */
  lines: string[];
  /** Every step. */
  trace: string[];
  findings: Violation[];
}

type Commands = Iterable<fc.AsyncCommand<Life, Life>>;

/** Lives one life to its end, and judges it. */
async function live(how: Setting, scheduler: fc.Scheduler, commands: Commands): Promise<LifeReport> {
  const world = makeWorld(how, scheduler);
  try {
    const { generation, claims, processes, accounts } = how;
    const lines = [
      `Helpdesk ${generation}, claims ${claims}, processes: ${processes}, Contacts of accounts: ${accounts}.`,
    ];
    const emails = new Map<string, Set<string>>(orgIds.map((orgId) => [orgId, new Set(firstFacts[orgId].emails)]));
    const plans = new Map(
      orgIds.map((orgId) => [orgId as string, [firstFacts[orgId] as { segment: string; plan: string }]]),
    );
    const sets = {
      enriched: new Set<string>(),
      takenUp: new Set<string>(),
      announced: new Set<string>(),
      reopened: new Set<string>(),
      mergedUntold: new Set<string>(),
      purged: new Map<string, number>(),
      awayOnce: new Set<string>(),
    };
    const life: Life = {
      world,
      lines,
      tickets: new Map(),
      sayings: [],
      listed: [],
      ...sets,
      authors: new Map(),
      linked: new Map(),
      emails,
      plans,
    };
    watch(life);
    const [first] = world.alive();
    void loopOnce(life, first);
    await world.steps(Number.POSITIVE_INFINITY);
    await fc.asyncModelRun(() => ({ model: life, real: life }), commands);
    await rest(life);
    await judge(life);
    return { lines, trace: world.trace, findings: world.findings };
  } finally {
    world.end();
  }
}

/** Repairs are tried for a day. */
const restsForMs = 26 * 3_600_000;

/**
 * Nothing fails any more, and the loops go on until nothing is due, and what waits for an agent has been through a round; first
 * after longer than a sweep looks back.
 */
async function rest({ world, ...life }: Life): Promise<void> {
  world.troubles.helpdesk.length = 0;
  world.troubles.crm.length = 0;
  world.killAfter(Number.POSITIVE_INFINITY);
  for (const user of life.awayOnce) world.asAdministrator('HD Agent', user, { availability: 'Active' });
  const until = world.machine.now() + restsForMs;
  await world.steps(Number.POSITIVE_INFINITY);
  await world.pass(10 * 60_000);
  const waiting = () =>
    world
      .decisions()
      .filter(({ state, assignment }) => state === 'applied' && assignment.state === 'nobody_available')
      .map(({ id }) => id);
  for (;;) {
    await world.steps(Number.POSITIVE_INFINITY);
    const waited = waiting();
    for (const one of world.alive()) {
      void loopOnce({ world, ...life }, one);
      await world.steps(Number.POSITIVE_INFINITY);
    }
    const due = world.database.prepare<[], number | null>('select min(due_at) from tickets').pluck().get() ?? null;
    // A round gives out what waits before it carries out decisions: what begins to wait in it is given out in the next.
    const isAtRest = due === null && waiting().every((id) => waited.includes(id));
    if (isAtRest || world.machine.now() > until) return;
    await world.pass(Math.max((due ?? 0) - world.machine.now(), 1_000));
  }
}

/** Lives the life of a seed. One with a finding is shrunk to the fewest deeds that lead to it. */
export async function liveFrom(seed: number, { isShrunk = true } = {}): Promise<LifeReport> {
  let last: LifeReport | undefined;
  let wrong: LifeReport | undefined;
  const property = fc.asyncProperty(setting, fc.scheduler(), deeds, async (...drawn) => {
    last = await live(...drawn);
    const causes = new Set((wrong ?? last).findings.map(causeOf));
    if (!last.findings.some((one) => causes.has(causeOf(one)))) return true;
    wrong = last;
    return false;
  });
  const checked = await fc.check(property, { seed, numRuns: 1, unbiased: true, endOnFailure: !isShrunk });
  const lived = wrong ?? last;
  if (lived === undefined) throw new Error(`Seed ${seed} gave no life.`, { cause: checked.errorInstance });
  return lived;
}

/** Of a life that is as it should be: null. Else what is wrong with it, how it comes to that, and how to see it again. */
export function complaintOf(seed: number, { findings, lines }: LifeReport): string | null {
  if (findings.length === 0) return null;
  const told = findings.map((one) => `✗ ${causeOf(one)}: ${one.text}`);
  return [...told, ...lines, `npm run lives -- --seed ${seed}`].join('\n');
}
