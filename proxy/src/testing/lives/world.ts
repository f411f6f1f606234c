import { parseOrgId } from '@deskside/shared/orgid';
import type { ClaimsMode } from '@deskside/shared/routing';
import { makeCrm } from '@deskside/simulators/crm/make-crm';
import type { Generation, Mail } from '@deskside/simulators/helpdesk/api';
import { draftDocument, finishInsert } from '@deskside/simulators/helpdesk/documents';
import { makeHelpdesk } from '@deskside/simulators/helpdesk/simulator';
import { drawNamesFrom } from '@deskside/simulators/helpdesk/store';
import { createRandom } from '@deskside/simulators/seed/random';
import type { Scheduler } from 'fast-check';
import { parseConfig } from '#config.ts';
import type { Call, Context } from '#context.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { orgIdFields, ticketFieldOf } from '#helpdesk/fields.ts';
import { contextOf, type Process, processOn } from '#make-context.ts';
import { decideBeforeInsert } from '#routing/before-insert.ts';
import { receiveTicketEvent } from '#routing/inbox.ts';
import { Rules } from '#rules.ts';
import { NamedError } from '#runtime/app-error.ts';
import { runOn } from '#runtime/machine.ts';
import { silent, uncounted } from '#runtime/testing/quiet.ts';
import { loopsOn } from '#serve.ts';
import { decisionOf } from '#store/decisions.ts';
import { StoreUnavailable } from '#store/engine.ts';
import { purge } from '#store/purge.ts';
import type { Insert } from '#store/tickets.ts';
import { begin, crmSeed, seeds } from './cast.ts';
import { clockworkAt, type Errand, Hold, working } from './clockwork.ts';
import { crmUrl, helpdeskUrl, networkTo, never } from './network.ts';
import { database, storeOf } from './store.ts';

export interface Setting {
  generation: Generation;
  claims: ClaimsMode;
  /** Whether the helpdesk has the Contacts of those who have accounts. */
  accounts: 'known' | 'unknown';
  /** How many processes serve one store. */
  processes: number;
  /** Whether processes are killed while they work. */
  crashes: boolean;
  /** Of time, chance and ids. */
  chance: number;
}

/** One process of the service, until it is killed. */
export interface ServiceProcess {
  number: number;
  isDead: boolean;
  ctx: Context;
  process: Process;
  loops: ReturnType<typeof loopsOn>;
  reload(claims: ClaimsMode): void;
}

/** A document as it was and is, and who wrote it. */
interface Change {
  doctype: string;
  name: string;
  before: Doc | undefined;
  after: Doc;
  by: string;
}
export type Doc = Readonly<Record<string, unknown>>;

/** What is not so; `part`: of what, for rules that can be broken in several places. */
export interface Violation {
  rule: string;
  part: string;
  text: string;
}

export type World = ReturnType<typeof makeWorld>;

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

const crmKey = '/rest/57001/canarymainsecret01/';
const config = parseConfig({
  HELPDESK_URL: helpdeskUrl,
  HELPDESK_API_KEY: 'service',
  HELPDESK_API_SECRET: 'service',
  HELPDESK_WEBHOOK_SECRET: 'a secret of sixteen',
  CRM_WEBHOOK_URL: `${crmUrl}${crmKey}`,
  CRM_RESPONSIBLE_WEBHOOK_URL: `${crmUrl}${crmKey}`,
  ALLOW_INSECURE_UPSTREAMS: '1',
  LOG_LEVEL: 'silent',
});
const rulesOf = (claims: ClaimsMode) => Rules.parse({ claims, platform_hosts: ['myplatform.example'] });
const configs = { accept: { ...config, rules: rulesOf('accept') }, hold: { ...config, rules: rulesOf('hold') } };

/**
 * A helpdesk, a CRM and processes of the service on one store, none of which goes on by itself: each request, answer and
 * statement waits until the scheduler lets it through, and time passes only where nothing waits.
 */
export function makeWorld(setting: Setting, scheduler: Scheduler) {
  const clockwork = clockworkAt(begin, createRandom(setting.chance).next);
  const { machine } = clockwork;
  const end = runOn(machine);
  drawNamesFrom(createRandom(1).next);
  const desk = makeHelpdesk({ seed: seeds[setting.accounts], now: machine.now, generation: setting.generation });
  const crm = makeCrm({ seed: crmSeed(), plan: 'enterprise', now: machine.now }, crmUrl);
  const trace: string[] = [];
  const findings: Violation[] = [];
  const served: ServiceProcess[] = [];
  const watchers: ((change: Change) => void)[] = [];
  /** What people and loops have begun, of processes that live. */
  const underWay = new Set<Errand>();
  let written = 0;
  /** How much is written until whoever writes next is killed. */
  let fuse = Number.POSITIVE_INFINITY;
  /** Until when what was under way is held; null: nothing is. */
  let hold: Hold | null = null;
  const heard = new Map<string, Doc>();
  /** How often a purge has begun or ended. */
  let purges = 0;
  let { claims } = setting;
  let isHolding = claims === 'hold';
  let hasNewRules = false;

  const say = (line: string) => void trace.push(`${machine.now() - begin} ${line}`);
  const find = (rule: string, part: string, text: string): void => {
    say(`FINDING ${rule} (${part}): ${text}`);
    findings.push({ rule, part, text });
  };

  /** Waits until the scheduler lets it through. `of`: whoever is killed meanwhile never goes on. */
  async function gate(of: ServiceProcess | null, label: string): Promise<void> {
    const isHeld = () => hold !== null && working.getStore()?.hold === hold;
    // What is let go waits for its turn: one thing happens after the other.
    do {
      if (isHeld()) await hold?.ended;
      await scheduler.schedule(Promise.resolve(), label);
    } while (isHeld());
    say(label);
    if (of?.isDead) await never();
  }

  /** Before a process writes something, to its store or elsewhere. */
  async function writes(of: ServiceProcess): Promise<void> {
    written += 1;
    fuse -= 1;
    if (fuse < 0 && !of.isDead) {
      fuse = Number.POSITIVE_INFINITY;
      kill(of);
    }
    if (of.isDead) await never();
  }

  const store = storeOf(async (of: ServiceProcess, statement) => {
    await gate(of, `p${of.number} ${statement}`);
    if (!statement.startsWith('select')) await writes(of);
  });

  const network = networkTo({ desk, crm, clockwork, say, gate, writes });
  const { inHelpdesk, actAs, writer } = network;

  // Processes.

  const ordinary = (error: unknown) =>
    error instanceof NamedError ||
    error instanceof HelpdeskError ||
    error instanceof StoreUnavailable ||
    (error instanceof DOMException && /^(TimeoutError|AbortError)$/.test(error.name));

  /** Work on a ticket of which nothing is kept any more misses its records. */
  const isMissed = (name: unknown) => purges > 0 && name === 'Error';

  function start(): ServiceProcess {
    const one = { number: served.length + 1, isDead: false } as ServiceProcess;
    const stop = new AbortController();
    const closed = new AbortController().signal;
    const complain = (fields: Record<string, unknown>) => {
      if (
        !isMissed(fields.error) &&
        /^(TypeError|RangeError|ReferenceError|SqliteError|ZodError|Error)$/.test(String(fields.error))
      )
        find('nothing fails by a fault of its own', 'in the background', String(fields.error));
    };
    const lasting = processOn(config, {
      store: { db: store.openedBy(one), clock: machine.now, closed, close: async () => {} },
      egress: network.egressFor(one),
      metrics: { ...uncounted, contentType: '', text: async () => '', watch() {} },
      clock: machine.now,
      logger: { ...silent, warn: complain, error: complain },
      stopped: stop.signal,
      askMeta: async (host) => ({ kind: 'none', why: 'not_found', address: host }),
    });
    one.process = lasting;
    one.reload = (mode) => {
      one.ctx = contextOf(lasting, configs[mode]);
    };
    one.reload(claims);
    one.loops = loopsOn(() => one.ctx, stop);
    lasting.signs.on('arrived', () => run(one, 'inbox', () => one.loops.processInbox()));
    served.push(one);
    say(`p${one.number} starts`);
    return one;
  }

  /** Begins something that ends by itself. What fails in an ordinary way is what somebody was told. */
  function run<T>(of: ServiceProcess | null, what: string, work: () => Promise<T>): Promise<T | null> {
    const one: Errand = { process: of?.number ?? null, hold: null };
    underWay.add(one);
    const begun = working.run(one, work).then(
      (value) => value,
      (error: unknown) => {
        say(`${what} failed: ${error instanceof NamedError ? error.code : error}`);
        if (!ordinary(error) && !(error instanceof Error && isMissed(error.name)))
          find('nothing fails by a fault of its own', what, String(error));
        return null;
      },
    );
    void begun.then(() => underWay.delete(one));
    return begun;
  }

  /** A process dies, and another one starts. */
  function kill(one: ServiceProcess): void {
    say(`p${one.number} is killed`);
    one.isDead = true;
    for (const work of underWay) if (work.process === one.number) underWay.delete(work);
    store.forget(one);
    clockwork.forget(one.number);
    start();
  }

  /** Lets one thing go on; false if there is none, and time brings none. */
  async function step(): Promise<boolean> {
    await turnOfTheLoop();
    if (scheduler.count() > 0) {
      await scheduler.waitOne();
      return true;
    }
    return hold === null && clockwork.fireNext(underWay.size > 0);
  }

  function letGo(): void {
    hold?.end();
    hold = null;
  }

  // What the helpdesk tells of, and what is seen of it.

  const { store: documents, metadata } = desk.site;
  const put = documents.put.bind(documents);
  documents.put = (doctype, document) => {
    const before = documents.find(doctype, document.name);
    put(doctype, document);
    const after = documents.find(doctype, document.name) ?? document;
    for (const watch of watchers)
      watch({ doctype: doctype.name, name: String(after.name), before, after, by: writer() });
  };

  const textOf = (value: unknown) => (value === null || value === undefined || value === '' ? null : String(value));
  const world = {
    setting,
    machine,
    trace,
    findings,
    find,
    say,
    troubles: network.troubles,
    gate,
    crm: crm.simulator,
    /** Tickets as a webhook first told of them. */
    heard,
    /** How often the CRM has been asked. */
    crmAnswers: network.crmAnswers,
    database,
    watchers,
    inHelpdesk,
    run,
    kill,
    /** Whichever process writes something after so many other writes is killed. */
    killAfter(writes: number) {
      fuse = writes;
    },
    /** Nothing passes between service and helpdesk for so long, webhooks neither. */
    cut: network.cut,
    /** An operator has nothing kept of a ticket. */
    async purge(one: ServiceProcess, ticket: string) {
      purges += 1;
      heard.delete(ticket);
      const order = { tickets: [ticket], names: null, now: machine.now(), isDry: false };
      await run(one, 'purge', () => purge(one.ctx.db, order));
      purges += 1;
    },
    /** Somebody makes a ticket of which a process is asked before its insert, by a Server Script. */
    async insertDecided(one: ServiceProcess, user: string, values: Doc) {
      const doctype = metadata.get('HD Ticket');
      const draft = draftDocument(desk.site, { user, messages: [] }, doctype, values);
      const { key, owner, agent_group, custom_orgid } = draft.document;
      const orgId = parseOrgId(custom_orgid);
      const all = documents.all(metadata.get('HD Customer'));
      const [known, ...others] = all.filter((one) => one.custom_platform_orgid === orgId);
      const [segment, shopPlan] = [textOf(known?.custom_customer_segment), textOf(known?.custom_shopplan_name)];
      const customer = segment === null || others.length > 0 ? null : { segment, shopPlan };
      const unsaved = { key: String(key), owner: textOf(owner), agentGroup: textOf(agent_group), orgId, customer };
      const told = await run(one, 'before insert', () => decideBeforeInsert(one.ctx, unsaved));
      for (const [member, value] of Object.entries(told ?? {}))
        draft.document[ticketFieldOf[member as keyof typeof ticketFieldOf]] = value;
      actAs(user);
      finishInsert(desk.site, draft);
    },
    async receiveMail(mail: Mail) {
      actAs('Administrator');
      await desk.simulator.receiveMail(mail);
    },
    /** A change by the site itself, such as one of its flows. */
    asAdministrator(doctype: string, name: string, values: Record<string, unknown>) {
      actAs('Administrator');
      say(`Administrator ${doctype} ${name} ${JSON.stringify(values)}`);
      desk.save('Administrator', doctype, name, values);
    },
    /** Whatever is under way is held until it is let go; meanwhile no time passes. */
    hold() {
      hold = new Hold();
      for (const one of underWay) one.hold = hold;
    },
    letGo,
    /** Lets so many things go on, or as many as come before so many writes; or else everything that needs no other time than its own. */
    async steps(count: number, writes = Number.POSITIVE_INFINITY) {
      const until = written + writes;
      await turnOfTheLoop();
      for (let n = 0; n < count && written < until && (await step()); n += 1)
        if (n === 30_000) return find('everything comes to rest', '', 'It went on after 30,000 steps.');
      await turnOfTheLoop();
    },
    tick: clockwork.tick,
    /** Lets so much time pass, whatever waits meanwhile. */
    async pass(ms: number) {
      letGo();
      const until = machine.now() + ms;
      while (clockwork.passUntil(until)) await turnOfTheLoop();
    },
    /** The processes that live; one is started where none does. */
    alive: (): [ServiceProcess, ...ServiceProcess[]] => {
      const [first = start(), ...others] = served.filter(({ isDead }) => !isDead);
      return [first, ...others];
    },
    reload(mode: ClaimsMode) {
      hasNewRules ||= mode !== claims;
      claims = mode;
      isHolding &&= mode === 'hold';
      for (const one of served) one.reload(mode);
    },
    /** Whether a claim has been held from the first moment on: what begins on older rules ends on them. */
    isHolding: () => isHolding,
    hasNewRules: () => hasNewRules,
    hasLostProcess: () => served.some(({ isDead }) => isDead),
    document: (doctype: string, name: unknown): Doc | undefined => documents.find(metadata.get(doctype), name),
    documents: (doctype: string): readonly Doc[] => documents.all(metadata.get(doctype)),
    /** All that were made, oldest first; `isWhole`: those that were purged, too. */
    decisions: ({ isWhole = false } = {}) =>
      database
        .prepare<[], { id: number; decision: string }>(
          `select id, decision from decisions where number > 0 ${isWhole ? 'union select * from purged' : ''} order by id`,
        )
        .all()
        .map(decisionOf),
    /** How often a team's turn has moved on. */
    turnsTaken: (team: string) =>
      database.prepare<[string], number>('select count(*) from turns_taken where team = ?').pluck().get(team) ?? 0,
    /** The context of a request. */
    callOf: (one: ServiceProcess, who: string): Call => ({
      ...one.ctx,
      caller: { authorization: `token ${who}:${who}`, digest: who },
      requestId: 'life',
      signal: new AbortController().signal,
    }),
    /** The webhook of a ticket's insert reaches a process, or nobody. */
    async tell(ticket: Doc, delayMs: number) {
      const insert: Insert = {
        creation: String(ticket.creation),
        owner: String(ticket.owner),
        raisedBy: textOf(ticket.raised_by),
        contact: textOf(ticket.contact),
        agentGroup: textOf(ticket.agent_group),
        splitFrom: textOf(ticket.ticket_split_from),
        orgIds: [...new Set(orgIdFields.flatMap(({ field }) => parseOrgId(textOf(ticket[field])) ?? []))],
      };
      if (delayMs > 0) await machine.wait(delayMs);
      await gate(null, `webhook of ${ticket.name}`);
      if (network.isCut()) return;
      const [one] = served.filter(({ isDead }) => !isDead);
      if (!one) return;
      const key = { name: String(ticket.name), creation: insert.creation };
      const before = purges;
      const told = await run(one, 'webhook', () => receiveTicketEvent(one.ctx, key, insert));
      // What a purge may have taken as soon as it was kept is not known.
      if (told === 'accepted' && purges === before && !heard.has(key.name)) heard.set(key.name, ticket);
    },
    end() {
      drawNamesFrom(Math.random);
      clockwork.end();
      end();
    },
  };
  for (let n = 0; n < setting.processes; n += 1) start();
  return world;
}
