import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import { accounts, agents, marksOf, orgIds, senders, teams } from './cast.ts';
import type { Life } from './life.ts';
import type { ServiceProcess } from './world.ts';

// How deeds are drawn and begun, and what they need.

/** How far what was begun goes before the next deed begins. */
const haste = fc.oneof(
  { weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
  { weight: 2, arbitrary: fc.nat(8) },
  { weight: 3, arbitrary: fc.nat(120) },
);

/** Begins something, which goes on while others begin. */
class Deed implements AsyncCommand<Life, Life> {
  readonly steps: number;
  readonly act: (life: Life) => unknown;
  readonly needsTicket: boolean;

  constructor(act: Deed['act'], steps: number, needsTicket: boolean) {
    this.steps = steps;
    this.act = act;
    this.needsTicket = needsTicket;
  }

  check({ tickets }: Readonly<Life>): boolean {
    return !this.needsTicket || tickets.size > 0;
  }

  async run(life: Life): Promise<void> {
    void life.world.run(null, 'deed', async () => this.act(life));
    await life.world.steps(this.steps);
    if (this.steps < Number.POSITIVE_INFINITY) life.lines.push(`  … (${this.steps})`);
  }
}

export function deed<P>(weight: number, of: Arbitrary<P>, act: (life: Life, asked: P) => unknown, needsTicket = false) {
  const arbitrary = fc
    .tuple(of, haste)
    .map(([asked, steps]) => new Deed((life) => act(life, asked), steps, needsTicket));
  return { weight, arbitrary };
}

/** A deed on one of the tickets that there are. */
export function onTicket<P>(weight: number, of: Arbitrary<P>, act: (life: Life, ticket: string, asked: P) => unknown) {
  const onOne = (life: Life, [asked, number]: [P, number]) =>
    act(life, [...life.tickets.keys()][number % life.tickets.size] ?? '', asked);
  return deed(weight, fc.tuple(of, fc.nat(5)), onOne, true);
}

export const [agent, account, sender] = [
  fc.constantFrom(...agents),
  fc.constantFrom(...accounts),
  fc.constantFrom(...senders),
];
export const company = fc.constantFrom(...orgIds);
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

/** A process is killed, after so many things have gone on, and another one starts. */
export async function killAfter({ world, lines }: Life, one: ServiceProcess, number: number): Promise<void> {
  for (let n = 0; n < number; n += 1) await world.gate(null, 'a crash is near');
  if (one.isDead) return;
  lines.push(`Process ${one.number} is killed, and another one starts`);
  world.kill(one);
  world.start();
}
