import { setTimeout as wait } from 'node:timers/promises';
import type { SecretVariable } from '@deskside/proxy/config';
import { callProxy } from '@deskside/shared/client';
import type { SettingName } from '@deskside/shared/operator/settings';
import type { CrmSimulator } from '@deskside/simulators/crm/server';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/server';
import { demo } from '@deskside/simulators/seed/index';
import { keyOf } from '../../integration/key-of.ts';
import { askBeforeInsert, askReadiness, lookUp, scrape, tellOfCompany, tellOfTicket } from './requests.ts';

/** What a rotation needs of the world around it. */
export interface Rotated {
  /** All proxies on the store; requests go to them in turn, and to the next one where one does not listen. */
  urls: readonly string[];
  crm: CrmSimulator;
  helpdesk: HelpdeskSimulator;
  /** The bodies of the alerts that the receiver at the later address has got. */
  alerts: readonly string[];
  /** Values of `ALERT_WEBHOOK_URL`, and of `DATABASE_URL` where the store is on a server. */
  addresses: Partial<Record<'ALERT_WEBHOOK_URL' | 'DATABASE_URL', string>>;
  /** Puts a secret into the store, in a slot. Every proxy goes by it within `stepMs`. */
  set(name: SettingName, value: string, slot: 'current' | 'next'): Promise<void>;
  /** Makes a secret's next value the current one; likewise. */
  promote(name: SettingName): Promise<void>;
  /** Seals what is in the store again, under the first master key. */
  sealAgain(): Promise<void>;
  /** Starts one proxy after the other with these variables changed; the next one once the former listens again. */
  restart(changes: Record<string, string>): Promise<void>;
}

/**
 * How an operator replaces each secret that there is (docs/settings.md#secrets). One that is added to the variables and
 * not here does not compile.
 */
const howReplaced = {
  HELPDESK_WEBHOOK_SECRET: 'store',
  HELPDESK_SCRIPT_SECRET: 'store',
  CRM_EVENT_TOKEN: 'store',
  CRM_WEBHOOK_URL: 'store',
  CRM_RESPONSIBLE_WEBHOOK_URL: 'store',
  HELPDESK_API_SECRET: 'two values',
  METRICS_TOKEN: 'two values',
  MASTER_KEY: 'two values',
  // The file holds what MASTER_KEY would.
  MASTER_KEY_FILE: 'two values',
  ALERT_WEBHOOK_URL: 'another value',
  DATABASE_URL: 'another value',
  // The helpdesk never changes it: what is secret of the two is the other.
  HELPDESK_API_KEY: 'never',
} as const satisfies Record<SecretVariable, 'store' | 'two values' | 'another value' | 'never'>;

/** Secrets with two values for a while, before and after. */
const twice = {
  HELPDESK_WEBHOOK_SECRET: ['the-helpdesk-secret-before', 'the-helpdesk-secret-after'],
  HELPDESK_SCRIPT_SECRET: ['the-script-secret-before', 'the-script-secret-after'],
  CRM_EVENT_TOKEN: ['the-event-token-before', 'the-event-token-after'],
  HELPDESK_API_SECRET: [demo.service.apiSecret, 'the-service-secret-after'],
  METRICS_TOKEN: ['the-metrics-token-before', 'the-metrics-token-after'],
  MASTER_KEY: [masterKeyOf(3), masterKeyOf(4)],
} as const satisfies Partial<Record<SecretVariable, readonly [string, string]>>;

/** Those that are set in the store. */
const inStore = (Object.keys(howReplaced) as SecretVariable[]).filter(
  (name) => howReplaced[name] === 'store',
) as (SecretVariable & SettingName)[];

/** What the proxies have in their environment at the beginning. */
export const environmentBefore = {
  HELPDESK_API_SECRET: twice.HELPDESK_API_SECRET[0],
  METRICS_TOKEN: twice.METRICS_TOKEN[0],
  MASTER_KEY: twice.MASTER_KEY[0],
};

/** And what after the first restart. */
export const environmentMeanwhile = {
  HELPDESK_API_SECRET: twice.HELPDESK_API_SECRET.join(),
  METRICS_TOKEN: twice.METRICS_TOKEN.join(),
  MASTER_KEY: twice.MASTER_KEY.toReversed().join(),
};

/** What they have in their store at the beginning, by its name. */
export function secretsBefore(crm: Pick<CrmSimulator, 'webhookUrl'>): [SettingName, string][] {
  return inStore.map((name) => [name, name in twice ? twice[name as keyof typeof twice][0] : crm.webhookUrl]);
}

/** How many requests of a kind go out in a second. Only profiles and tickets ask the CRM, less than it takes. */
const asksCrm = { profiles: 1, tickets: 0.5 };
const seldom = { ...asksCrm, readiness: 5, metrics: 5 };
/** The helpdesk's webhook and its script, and the portal's event: all the others, in equal parts. */
const often = ['webhooks', 'scripts', 'events'] as const;
const kinds = [...often, 'profiles', 'tickets', 'readiness', 'metrics'] as const;
type Kind = (typeof kinds)[number];

export interface Figures {
  sent: Record<Kind, number>;
  /** What went wrong with each that failed. */
  failed: string[];
  /** How often the next proxy was asked, because one did not listen or because it ended before it had answered. */
  movedOn: { refused: number; cut: number };
  /** Through which webhook the portal was asked. */
  asked: Record<string, number>;
  /** Of secrets that others show or are shown: whether the former one is of no use any more, and the later one is. */
  afterwards: Record<string, boolean>;
}

/**
 * Replaces every secret while requests come in of all kinds. A profile, and a ticket's routing, fails if a refused webhook
 * or a refused service account is to be seen in it.
 *
 * @param perSecond requests of all kinds together
 * @param stepMs how long requests go on between two steps, which is also the time that every proxy has to follow
 */
export async function rotate(
  world: Rotated,
  { perSecond, stepMs }: { perSecond: number; stepMs: number },
): Promise<Figures> {
  const { crm, helpdesk, addresses } = world;
  const none = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  const figures: Figures = { sent: none, failed: [], movedOn: { refused: 0, cut: 0 }, asked: {}, afterwards: {} };
  const under = new Set<Promise<void>>();
  const inserted: string[] = [];
  let nth: 0 | 1 = 0;
  let isOver = false;

  const ask: Record<Kind, (url: string, count: number) => Promise<string | null>> = {
    webhooks: (url) => tellOfTicket(url, twice.HELPDESK_WEBHOOK_SECRET[nth]),
    scripts: (url) => askBeforeInsert(url, twice.HELPDESK_SCRIPT_SECRET[nth]),
    events: (url) => tellOfCompany(url, twice.CRM_EVENT_TOKEN[nth]),
    profiles: lookUp,
    readiness: askReadiness,
    metrics: (url) => scrape(url, twice.METRICS_TOKEN[nth]),
    async tickets(url) {
      const values = { subject: 'x', custom_orgid: '200000376001' };
      const name = await helpdesk.insertTicket(demo.portal.name, values, { portal: true });
      inserted.push(name);
      return tellOfTicket(url, twice.HELPDESK_WEBHOOK_SECRET[nth], name);
    },
  };

  async function send(kind: Kind): Promise<void> {
    const count = figures.sent[kind]++;
    // Each kind goes to every proxy, and so does each of two profiles.
    const first = Math.floor(count / 2);
    for (let tried = 0; tried < 2 * world.urls.length; tried += 1) {
      const url = world.urls[(first + tried) % world.urls.length] ?? '';
      try {
        const problem = await ask[kind](url, count);
        if (problem !== null) figures.failed.push(`${kind}: ${problem}`);
        return;
      } catch (error) {
        // Whoever sent it sends it again, as the helpdesk does with its webhooks: none of these does anything twice.
        figures.movedOn[codeOf(error) === 'ECONNREFUSED' ? 'refused' : 'cut'] += 1;
      }
    }
    figures.failed.push(`${kind}: no proxy answers`);
  }

  async function load(): Promise<void> {
    const startedAt = performance.now();
    for (let sent = 0; !isOver; sent += 1) {
      await wait(Math.max(0, startedAt + (sent * 1_000) / perSecond - performance.now()));
      const running: Promise<void> = send(kindOf(sent, perSecond)).finally(() => under.delete(running));
      under.add(running);
    }
    await Promise.all(under);
  }

  const loading = load();
  const [, apiSecret] = twice.HELPDESK_API_SECRET;
  const [, metricsToken] = twice.METRICS_TOKEN;
  const [, masterKey] = twice.MASTER_KEY;
  try {
    await wait(stepMs);
    for (const name of inStore) await world.set(name, after(name, crm), 'next');
    await world.restart({ ...environmentMeanwhile, ...addresses });
    await world.sealAgain();
    await wait(stepMs);
    // The others show and want the new secrets, and the portal drops the old webhook.
    nth = 1;
    helpdesk.setApiSecret(demo.service.name, apiSecret);
    crm.fault = ({ webhook }) => (webhook === 'main' ? 'unauthorized' : null);
    await wait(stepMs);
    await Promise.all(under);
    for (const name of inStore) await world.promote(name);
    await world.restart({ HELPDESK_API_SECRET: apiSecret, METRICS_TOKEN: metricsToken, MASTER_KEY: masterKey });
    await wait(stepMs);
    await readRouting(helpdesk, inserted, stepMs).then((problems) => figures.failed.push(...problems));
  } finally {
    isOver = true;
    await loading;
  }
  figures.afterwards = await judge(world);
  for (const { webhook } of crm.journal) figures.asked[webhook ?? 'none'] = (figures.asked[webhook ?? 'none'] ?? 0) + 1;
  return figures;
}

/** What goes out as the nth request: so many of the seldom ones in a second, and of the others in turn. */
function kindOf(nth: number, perSecond: number): Kind {
  for (const [at, kind] of (['profiles', 'tickets', 'readiness', 'metrics'] as const).entries()) {
    const every = Math.max(8, Math.round(perSecond / seldom[kind]));
    if (nth % every === at) return kind;
  }
  return often[nth % often.length] ?? 'events';
}

function after(name: SettingName, crm: Pick<CrmSimulator, 'crmOnlyWebhookUrl' | 'responsibleWebhookUrl'>): string {
  if (name === 'CRM_WEBHOOK_URL') return crm.crmOnlyWebhookUrl;
  if (name === 'CRM_RESPONSIBLE_WEBHOOK_URL') return crm.responsibleWebhookUrl;
  return twice[name as keyof typeof twice][1];
}

/** What is wrong with the routing of tickets, once all of them are routed or nothing has come of one for so long. */
async function readRouting(helpdesk: HelpdeskSimulator, names: readonly string[], ms: number): Promise<string[]> {
  const until = performance.now() + ms + 20_000;
  const ticket = (name: string) => helpdesk.document('HD Ticket', name);
  while (names.some((name) => !ticket(name)?.agent_group) && performance.now() < until) await wait(100);
  return names.flatMap((name) => {
    const status = ticket(name)?.custom_platform_profile_status;
    return ticket(name)?.agent_group && status === 'Complete'
      ? []
      : [`tickets: ${name} ${ticket(name)?.agent_group} ${status}`];
  });
}

/** What holds once everything is replaced, at the last proxy. */
async function judge({ urls, alerts }: Rotated): Promise<Figures['afterwards']> {
  const url = urls.at(-1) ?? '';
  const show: Record<string, (secret: string) => Promise<string | null>> = {
    HELPDESK_WEBHOOK_SECRET: (secret) => tellOfTicket(url, secret),
    HELPDESK_SCRIPT_SECRET: (secret) => askBeforeInsert(url, secret),
    CRM_EVENT_TOKEN: (secret) => tellOfCompany(url, secret),
    METRICS_TOKEN: (secret) => scrape(url, secret),
  };
  const found: Figures['afterwards'] = {};
  for (const [name, ask] of Object.entries(show)) {
    const [old, current] = twice[name as keyof typeof twice];
    found[name] = /^40[13] /.test((await ask(old)) ?? '') && (await ask(current)) === null;
  }
  const input = { anchor: 'ticket_header', extension: '1.0.0' } as const;
  await callProxy('missingAnchor', input, { baseUrl: url, authorization: keyOf(demo.manager) });
  const until = performance.now() + 20_000;
  // Another alert may have come before, where the load made the CRM slow.
  const isTold = () => alerts.some((body) => body.includes('helpdesk_page_changed'));
  while (!isTold() && performance.now() < until) await wait(50);
  found.ALERT_WEBHOOK_URL = isTold();
  return found;
}

function masterKeyOf(byte: number): string {
  return Buffer.alloc(32, byte).toString('base64');
}

function codeOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}
