import { setTimeout as wait } from 'node:timers/promises';
import { callProxy } from '@deskside/shared/client';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/server';
import { demo, shops } from '@deskside/simulators/seed/index';
import type { Random } from '@deskside/simulators/seed/random';
import { keyOf } from '../integration/key-of.ts';

/** A ticket that came in, and what it names: null for one without org id. */
export interface Inserted {
  name: string;
  orgId: string | null;
}

export interface Worked {
  tickets: Inserted[];
  /** Of profiles that were asked for: `200`, the error's code, or `no answer`. */
  answers: Map<string, number>;
  /** What an agent must never be shown. */
  findings: string[];
}

/** Tickets come in and agents look at them, at random moments that make so many a second, until the signal. */
export async function work(
  { helpdesk, baseUrl }: { helpdesk: HelpdeskSimulator; baseUrl: string },
  { ticketsPerSecond, profilesPerSecond }: { ticketsPerSecond: number; profilesPerSecond: number },
  random: Random,
  signal: AbortSignal,
): Promise<Worked> {
  const done: Worked = { tickets: [], answers: new Map(), findings: [] };
  const looks = new Set<Promise<void>>();

  async function insert(): Promise<void> {
    const orgId = random.chance(0.5) ? random.pick(shops).orgId : null;
    const values = { subject: `Soak ${done.tickets.length}`, raised_by: 'khach.la@hopthu.example' };
    const name = await helpdesk.insertTicket(demo.service.name, { ...values, ...(orgId && { custom_orgid: orgId }) });
    done.tickets.push({ name, orgId });
  }

  async function look({ name, orgId }: Inserted): Promise<void> {
    const agent = random.pick([demo.agent, demo.manager]);
    const answer = await callProxy('customerProfile', { ticket: name }, { baseUrl, authorization: keyOf(agent) }).catch(
      () => null,
    );
    const outcome = answer === null ? 'no answer' : answer.ok ? '200' : answer.error.code;
    done.answers.set(outcome, (done.answers.get(outcome) ?? 0) + 1);
    // 408: the network held the request back for longer than a server waits.
    if (answer?.ok === false && answer.error.code === 'bad_input' && answer.error.status !== 408)
      done.findings.push(`ticket ${name} was refused: ${JSON.stringify(answer.error)}`);
    const shown = answer?.ok ? answer.data.bitrix.company?.company_id : undefined;
    if (shown != null && shown !== orgId) done.findings.push(`ticket ${name} of ${orgId} showed company ${shown}`);
  }

  async function repeat(perSecond: number, act: () => Promise<void> | void): Promise<void> {
    while (!signal.aborted) {
      await act();
      await wait(random.int(2_000 / perSecond));
    }
  }

  await Promise.all([
    repeat(ticketsPerSecond, insert),
    repeat(profilesPerSecond, () => {
      const recent = done.tickets.slice(-50);
      if (recent.length === 0) return;
      const looking: Promise<void> = look(random.pick(recent)).finally(() => looks.delete(looking));
      looks.add(looking);
    }),
  ]);
  await Promise.all(looks);
  return done;
}
