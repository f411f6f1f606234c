import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import { accounts, agents, marksOf, orgIds, senders, teams } from './cast.ts';
import type { Life } from './life.ts';
import type { ServiceProcess } from './world.ts';

// How deeds are drawn and begun, and what they need.

const all = Number.POSITIVE_INFINITY;
/** How a deed goes among others. */
const course = fc.record({
  /** How far it goes before the next one begins: so many steps, or so many writes of the service. */
  haste: fc.oneof(
    { weight: 2, arbitrary: fc.constant([all, all] as const) },
    { weight: 2, arbitrary: fc.tuple(fc.nat(120), fc.constant(all)) },
    { weight: 4, arbitrary: fc.tuple(fc.constant(all), fc.nat(12)) },
  ),
  /** Whether what was begun before is held meanwhile. */
  overtakes: fc.boolean(),
  /** After how many writes a process is killed; null: it is not. */
  crash: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(12) }),
});
type Course = typeof course extends Arbitrary<infer C> ? C : never;

/** Begins something, which goes on while others begin. */
class Deed implements AsyncCommand<Life, Life> {
  readonly course: Course;
  readonly act: (life: Life) => unknown;
  readonly needsTicket: boolean;

  constructor(act: Deed['act'], course: Course, needsTicket: boolean) {
    this.course = course;
    this.act = act;
    this.needsTicket = needsTicket;
  }

  check({ tickets }: Readonly<Life>): boolean {
    return !this.needsTicket || tickets.size > 0;
  }

  async run(life: Life): Promise<void> {
    const { world, lines } = life;
    const { haste, overtakes, crash } = this.course;
    const [steps, writes] = haste;
    if (crash !== null && world.setting.crashes) {
      lines.push(`A process will be killed after ${crash} writes`);
      world.killAfter(crash);
    }
    const told = lines.length;
    if (overtakes) world.hold();
    void world.run(null, 'deed', async () => this.act(life));
    await world.steps(steps, writes);
    world.letGo();
    const until = steps < all ? `${steps} steps` : writes < all ? `${writes} writes` : 'the end';
    // One that had nothing to act on is told of by nothing.
    if (lines.length > told) lines.push(`  … (to ${until}${overtakes ? ', before anything else' : ''})`);
  }
}

export function deed<P>(weight: number, of: Arbitrary<P>, act: (life: Life, asked: P) => unknown, needsTicket = false) {
  const arbitrary = fc
    .tuple(of, course)
    .map(([asked, course]) => new Deed((life) => act(life, asked), course, needsTicket));
  return { weight, arbitrary };
}

/** A deed on one of the tickets that there are, most often on the latest. */
export function onTicket<P>(weight: number, of: Arbitrary<P>, act: (life: Life, ticket: string, asked: P) => unknown) {
  const onOne = (life: Life, [asked, back]: [P, number]) =>
    act(life, [...life.tickets.keys()].at(-1 - (back % life.tickets.size)) ?? '', asked);
  return deed(weight, fc.tuple(of, fc.constantFrom(0, 0, 0, 1, 1, 2, 3)), onOne, true);
}

/** One of all, and this one thrice as often as another: what is done to the same meets. */
const mostly = <T>(one: T, all: readonly T[]) => fc.constantFrom(...all, one, one);
const [, , stranger] = senders;
export const agent = fc.constantFrom(...agents);
export const [account, sender, company] = [
  mostly<string>(stranger, accounts),
  mostly<string>(stranger, senders),
  mostly(orgIds[0], orgIds),
];
export const [team, isTrue, which] = [fc.constantFrom(...teams), fc.boolean(), fc.nat(3)];
export const rarely = <T>(one: Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: one });
/** How the webhook of an insert fares. */
export const webhook = fc.constantFrom('comes', 'comes', 'comes', 'comes late', 'comes twice', 'is lost');

export const nameOf = (orgId: string | null) => (orgId === null ? 'no company' : (marksOf[orgId]?.name ?? orgId));
export const put = ({ world }: Life, by: string, name: string, values: object) =>
  world.inHelpdesk(by, 'PUT', `/api/resource/HD Ticket/${name}`, values);

export const someProcess = ({ world }: Life, number: number): ServiceProcess => {
  const alive = world.alive();
  return alive[number % alive.length] ?? alive[0];
};

/** A process is killed at once, and another one starts. */
export function crashNow({ world, lines }: Life, one: ServiceProcess): void {
  lines.push(`Process ${one.number} is killed, and another one starts`);
  world.kill(one);
}
