import { createHash } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromeKey } from '@deskside/extension/chrome-key';
import { type Config, parseConfig } from '@deskside/proxy/config';
import { type Overrides, type RunningProxy, startProxy } from '@deskside/proxy/start';
import { desiredWebhook, webhookName } from '@deskside/proxy/webhook';
import type { ClaimsMode } from '@deskside/shared/routing';
import { type CrmSimulator, startCrm } from '@deskside/simulators/crm/server';
import { type Generation, type HelpdeskSimulator, startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { type Seed, sharedSeed } from '@deskside/simulators/seed/index';
import { proxyEnvironment } from './proxy-environment.ts';

export interface WorldOptions {
  generation?: Generation;
  /** What both simulators start from, instead of the usual world. */
  seed?: Seed;
  /** Folder for the proxy's data. */
  data: string;
  helpdeskPort?: number;
  proxyPort?: number;
  /** Owners are looked up with a webhook of their own; otherwise with the same one. */
  withResponsibleWebhook?: boolean;
  /** Tickets are routed: the helpdesk has the signed webhook, and the proxy its secret. */
  pipeline?: boolean;
  /** The proxy's clock. */
  clock?: () => number;
  /** What shops' addresses answer to intake; by default the real guard, which lets nothing of this machine through. */
  askMeta?: Overrides['askMeta'];
  /** What a claim may do, whatever the rules file says. */
  claims?: ClaimsMode;
  /** Changes to the proxy's environment; undefined removes a variable. */
  environment?: Record<string, string | undefined>;
}

export interface DemoWorld {
  helpdesk: HelpdeskSimulator;
  crm: CrmSimulator;
  proxyUrl: string;
  /** The proxy's ticket pipeline, to be driven by hand. */
  pipeline: RunningProxy['pipeline'];
  /** Has settings in force that differ in these from those that it started with, as SIGHUP does. */
  change(environment: NonNullable<WorldOptions['environment']>): void;
  /** Waits for what the proxy does after its answers, such as writing the owner's e-mail. */
  idle(): Promise<void>;
  /** Starts one more proxy, set up otherwise and with data of its own, for the same helpdesk and CRM; gives its address. */
  startAnotherProxy(environment: NonNullable<WorldOptions['environment']>): Promise<string>;
  /** Which roles may sign in with the extension. */
  allowSignIn(roles: string[]): void;
  close(): Promise<void>;
}

export const chromeClientId = 'deskside-chrome';

/** Both simulators and the real proxy between them, on free loopback ports, in this process: nothing outlives it. */
export async function startWorld({
  generation = '1.28',
  seed = sharedSeed(),
  data,
  helpdeskPort = 0,
  proxyPort = 0,
  withResponsibleWebhook = false,
  pipeline = false,
  clock = Date.now,
  askMeta,
  claims,
  environment = {},
}: WorldOptions): Promise<DemoWorld> {
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk, generation, port: helpdeskPort });
  const crm = await startCrm({ seed: seed.crm });
  const allowSignIn = (allowedRoles: string[]) =>
    helpdesk.registerOAuthClient({
      clientId: chromeClientId,
      redirectUri: `https://${extensionIdOf(chromeKey)}.chromiumapp.org/cb`,
      allowedRoles,
    });
  allowSignIn(['Agent', 'Agent Manager']);
  const configOf = (port: number, folder: string, changes: NonNullable<WorldOptions['environment']>): Config => {
    const config = parseConfig({
      ...proxyEnvironment({ helpdesk }, `file:${folder}`),
      PORT: String(port),
      CRM_WEBHOOK_URL: withResponsibleWebhook ? crm.crmOnlyWebhookUrl : crm.webhookUrl,
      CRM_RESPONSIBLE_WEBHOOK_URL: withResponsibleWebhook ? crm.responsibleWebhookUrl : crm.webhookUrl,
      OAUTH_CLIENT_IDS: JSON.stringify({ chrome: chromeClientId }),
      RULES_FILE: fileURLToPath(new URL('./rules.json', import.meta.url)),
      LOG_LEVEL: 'error',
      ...(pipeline && { HELPDESK_WEBHOOK_SECRET: webhookSecret }),
      ...changes,
    });
    return claims === undefined ? config : { ...config, rules: { ...config.rules, claims } };
  };
  const start = (...asked: Parameters<typeof configOf>) =>
    startProxy(configOf(...asked), clock, { ...(askMeta && { askMeta }) });
  const others: RunningProxy[] = [];
  try {
    const proxy = await start(proxyPort, data, environment);
    if (pipeline) tellOfNewTickets(helpdesk, proxy.url);
    return {
      helpdesk,
      crm,
      proxyUrl: proxy.url,
      pipeline: proxy.pipeline,
      change: (changes) => proxy.use(configOf(proxyPort, data, { ...environment, ...changes })),
      idle: () => proxy.idle(),
      startAnotherProxy: async (changes) => {
        const other = await start(0, path.join(data, `another-${others.length + 1}`), changes);
        others.push(other);
        return other.url;
      },
      allowSignIn,
      close: async () => {
        await Promise.all([proxy, ...others].map((one) => one.close()));
        await Promise.all([helpdesk.close(), crm.close()]);
      },
    };
  } catch (error) {
    await Promise.all([helpdesk.close(), crm.close()]);
    throw error;
  }
}

export const webhookSecret = 'demo-webhook-secret';

/** Gives the helpdesk the webhook that `provision` would create. */
export function tellOfNewTickets(helpdesk: HelpdeskSimulator, proxyUrl: string, secret = webhookSecret): void {
  helpdesk.put('Webhook', { name: webhookName, ...desiredWebhook(proxyUrl), webhook_secret: secret });
}

/** Chromium's id of an extension with this manifest key (base64 of its public key). */
export function extensionIdOf(key: string): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
  return digest.replace(/[0-9a-f]/g, (hex) => String.fromCharCode(97 + Number.parseInt(hex, 16)));
}
