import { jsonOf } from '@deskside/shared/json';
import * as z from 'zod';
import { webhookProblem } from './crm/webhook.ts';
import { parseRules, type Rules } from './rules.ts';
import { logLevels } from './runtime/json-logger.ts';
import { Secret } from './runtime/secret.ts';
import { readTextFile, UnreadableText } from './text-file.ts';
import { loopback, parseTrustedProxies } from './trusted-proxies.ts';

const secret = z.string().transform((value) => new Secret(value));

/** One or two secrets with a comma between: two while one is being replaced by the other. */
function oneOrTwo(each: z.ZodString, what = 'secret') {
  return z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(each).max(2, `one ${what}, or while it is being replaced the other one after a comma`))
    .transform((values) => values.map((value) => new Secret(value)));
}

/** Both are accepted. */
const rotating = oneOrTwo(z.string().min(16, 'at least 16 characters'));

/** Of the service account, in whatever length the helpdesk made it. The second is used where the first is refused. */
const serviceSecret = oneOrTwo(z.string().min(1, 'expected a secret'));

const flag = z
  .string()
  .toLowerCase()
  .pipe(
    z.enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'], 'expected 1 or 0 (also true/false, yes/no, on/off)'),
  )
  .transform((word) => ['1', 'true', 'yes', 'on'].includes(word));

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, `expected a whole number from ${min} to ${max}`)
        .max(max, `expected a whole number from ${min} to ${max}`),
    );

const origin = z
  .string()
  .refine(isOrigin, 'expected an address without a path, such as https://help.example.com')
  .transform((value) => new URL(value).origin);

/** Likewise one or two webhooks of one portal. The second is used where the first is refused. */
const webhooks = oneOrTwo(
  z.string().superRefine((value, ctx) => {
    const problem = webhookProblem(value);
    if (problem !== null) ctx.addIssue(problem);
  }),
  'webhook',
).refine(
  (values) => new Set(values.map((value) => URL.parse(value.reveal())?.origin)).size === 1,
  'expected two webhooks of one portal',
);

const trustedProxies = z.string().transform((value, ctx) => {
  const ranges = parseTrustedProxies(value);
  if (ranges === null)
    ctx.addIssue('expected addresses or ranges such as 10.0.0.0/8, with commas between; loopback; or none');
  return ranges ?? z.NEVER;
});

const oauthClientIds = z
  .string()
  .transform((value, ctx) => parseJson(value, ctx))
  .pipe(
    z.partialRecord(z.enum(['chrome', 'edge', 'firefox']), z.string(), {
      error: 'expected JSON such as {"chrome":"…","edge":"…","firefox":"…"}',
    }),
  );

/** The rules that a file gives, checked, but without the defaults of those that it leaves out. */
const rulesFile = z.string().transform((path, ctx) => {
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    ctx.addIssue(error instanceof UnreadableText ? error.message : 'expected the path of a readable JSON file');
    return z.NEVER;
  }
  const { value: given, problems } = parseRules(text);
  for (const problem of problems) ctx.addIssue(problem);
  return problems.length === 0 ? (given as z.input<typeof Rules>) : z.NEVER;
});

/**
 * The settings of the proxy (docs/operate.md#variables), from the file of settings and the environment over it. Those that
 * are only needed later are checked too, so that a wrong one shows at the start and not at its first use.
 */
export const Environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(8787),
  TRUSTED_PROXIES: trustedProxies.default(loopback),
  PUBLIC_URL: origin.optional(),
  DATABASE_URL: z
    .string()
    .regex(/^(file:.+|postgres(ql)?:\/\/.+)$/, 'expected file:<folder> or postgres://…')
    .default('file:./data')
    .transform((value) => new Secret(value)),
  HELPDESK_URL: origin,
  HELPDESK_API_KEY: secret,
  HELPDESK_API_SECRET: serviceSecret,
  HELPDESK_WEBHOOK_SECRET: rotating.optional(),
  HELPDESK_SCRIPT_SECRET: rotating.optional(),
  CRM_ENABLED: flag.default(true),
  CRM_WEBHOOK_URL: webhooks.optional(),
  CRM_RESPONSIBLE_WEBHOOK_URL: webhooks.optional(),
  CRM_PORTAL_URL: origin.optional(),
  CRM_TIMEOUT_SECONDS: whole(1, 55).default(15),
  CRM_REFRESH_TTL_MINUTES: whole(0, 10_080).default(60),
  CRM_EVENT_TOKEN: rotating.optional(),
  CRM_PLAN: z.enum(['standard', 'enterprise'], 'expected standard or enterprise').default('standard'),
  RETENTION_DAYS: whole(30, 36_500).default(400),
  OAUTH_CLIENT_IDS: oauthClientIds.default({}),
  RULES_FILE: rulesFile.default({}),
  ALLOW_INSECURE_UPSTREAMS: flag.default(false),
  LOG_LEVEL: z.enum(logLevels, `expected one of ${logLevels.join(', ')}`).default('info'),
  METRICS_TOKEN: rotating.optional(),
  METRICS_PORT: whole(0, 65_535).optional(),
});

export const settingNames: readonly string[] = Object.keys(Environment.shape);

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username
  );
}

function parseJson(text: string, ctx: z.RefinementCtx): unknown {
  const value = jsonOf(text);
  if (value === undefined) ctx.addIssue('expected JSON');
  return value;
}
