import type { makeCrm } from '@deskside/simulators/crm/make-crm';
import type { SimulatedFault } from '@deskside/simulators/helpdesk/api';
import type { makeHelpdesk } from '@deskside/simulators/helpdesk/simulator';
import { type Egress, EgressError } from '#net/egress.ts';
import { unlessAborted } from '#runtime/concurrency.ts';
import { keyOf, service } from './cast.ts';
import type { clockworkAt } from './clockwork.ts';

// What passes between the service, the helpdesk and the CRM, and what goes wrong on the way.

export type HelpdeskTrouble = SimulatedFault | 'lost';
export type CrmTrouble =
  | 'hang'
  | 'slow'
  | 'cut'
  | 'html_502'
  | 'limit'
  | 'server_error'
  | 'wrong_company'
  | 'null_result';

export const never = () => new Promise<never>(() => {});
export const helpdeskUrl = 'http://help.example';
export const crmUrl = 'http://crm.example';

type Upstream = ReturnType<Egress['upstream']>;
type UpstreamRequest = Parameters<Upstream['request']>[0];
type UpstreamResponse = Awaited<ReturnType<Upstream['request']>>;
const broken = () => new EgressError('cut', 'The connection broke before the response was complete.');

/** A process of the service, as the network meets it. */
interface Caller {
  number: number;
  isDead: boolean;
}

/** What the network connects, and what goes on there waits for. */
interface Ends<Process extends Caller> {
  desk: ReturnType<typeof makeHelpdesk>;
  crm: ReturnType<typeof makeCrm>;
  clockwork: ReturnType<typeof clockworkAt>;
  say(line: string): void;
  gate(of: Process | null, label: string): Promise<void>;
  writes(of: Process): Promise<void>;
}

export function networkTo<Process extends Caller>({ desk, crm, clockwork, say, gate, writes }: Ends<Process>) {
  const { machine } = clockwork;
  const troubles = { helpdesk: [] as (HelpdeskTrouble | null)[], crm: [] as CrmTrouble[] };
  let crmAnswers = 0;
  /** Until when nothing passes between service and helpdesk. */
  let cutUntil = 0;
  /** Who writes in the helpdesk at this moment. */
  let writer = 'Administrator';

  /** What somebody does in the helpdesk: at once, and by its rules. Gives the status and the document. */
  async function inHelpdesk(user: string, method: string, path: string, body?: object) {
    const key = user === service ? 'service' : keyOf(user);
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (user !== 'Guest') headers.authorization = `token ${key}:${key}`;
    const text = async () => (body === undefined ? '' : JSON.stringify(body));
    const url = new URL(`${helpdeskUrl}${path}`);
    const before = writer;
    writer = user;
    const answer = await desk.answer({ method, url, headers: { get: (name) => headers[name] ?? null }, text });
    writer = before;
    say(`${user} ${method} ${decodeURIComponent(url.pathname)} ${JSON.stringify(body ?? {})} ${answer.status}`);
    return answer;
  }

  async function askHelpdesk(
    of: Process,
    { method, path, headers = {}, body }: UpstreamRequest,
  ): Promise<UpstreamResponse> {
    const user = /^token (\w+):/.exec(headers.authorization ?? '')?.[1] ?? 'Guest';
    const label = `${method} ${path.split('?')[0]?.slice(0, 60)}`;
    if (method !== 'GET') await writes(of);
    // What was sent arrives, whatever has become of its sender.
    await gate(null, `p${of.number} → ${label}`);
    const trouble = machine.now() < cutUntil ? 'cut' : (troubles.helpdesk.shift() ?? null);
    if (trouble === 'hang') return never();
    desk.simulator.fault = trouble === null || trouble === 'lost' ? null : () => trouble;
    const url = new URL(`${helpdeskUrl}${path}`);
    const before = writer;
    writer = user === 'service' ? service : `${user}@desk.example`;
    const asked = {
      method,
      url,
      headers: { get: (name: string) => headers[name] ?? null },
      text: async () => body ?? '',
    };
    const answer = await desk.answer(asked);
    writer = before;
    desk.simulator.fault = null;
    await gate(of, `p${of.number} ← ${answer.status} ${label}`);
    if (answer.body === null || trouble === 'lost') throw broken();
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: answer.body };
  }

  async function askCrm(of: Process, { path, headers = {}, body = '' }: UpstreamRequest): Promise<UpstreamResponse> {
    await gate(null, `p${of.number} → crm`);
    const trouble = troubles.crm.shift();
    if (trouble === 'hang') return never();
    if (trouble === 'slow') await machine.wait(6_000);
    const isOurs = trouble === undefined || trouble === 'slow' || trouble === 'cut' || trouble === 'html_502';
    crm.simulator.fault = isOurs ? null : trouble;
    const [pathname = '', query = ''] = path.split('?');
    crmAnswers += 1;
    const answer = await crm.answer({
      ...{ path: pathname, query, body, contentType: headers['content-type'] ?? '', from: 'us' },
    });
    crm.simulator.fault = null;
    await gate(of, `p${of.number} ← crm ${trouble ?? answer?.status}`);
    if (answer === null || trouble === 'cut') throw broken();
    if (trouble === 'html_502') return { status: 502, headers: { 'content-type': 'text/html' }, text: '<html>' };
    return { status: answer.status, headers: { 'content-type': 'application/json' }, text: answer.json };
  }

  const egressFor = (of: Process): Egress => ({
    upstream: (origin, { timeoutMs = 20_000 } = {}) => ({
      origin,
      async request(asked) {
        asked.signal.throwIfAborted();
        const deadline = clockwork.deadline(timeoutMs);
        const answer = origin === helpdeskUrl ? askHelpdesk(of, asked) : askCrm(of, asked);
        answer.catch(() => {});
        try {
          return await unlessAborted(answer, AbortSignal.any([asked.signal, deadline.signal]));
        } catch (error) {
          if (of.isDead) return never();
          if (asked.signal.aborted) throw asked.signal.reason;
          throw deadline.signal.aborted ? new EgressError('timeout', 'The other side did not respond in time.') : error;
        } finally {
          deadline.callOff();
        }
      },
    }),
    close: async () => {},
  });

  return {
    troubles,
    inHelpdesk,
    egressFor,
    /** How often the CRM has been asked. */
    crmAnswers: () => crmAnswers,
    writer: () => writer,
    /** What the simulator does next of itself, somebody does. */
    actAs(user: string) {
      writer = user;
    },
    cut(ms: number) {
      cutUntil = machine.now() + ms;
    },
    isCut: () => machine.now() < cutUntil,
  };
}
