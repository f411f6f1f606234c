import { ClaimsMode } from '@deskside/shared/routing';
import * as z from 'zod';
import { FieldMap } from './crm/company.ts';
import { AccountLinkConfig } from './helpdesk/customer-data.ts';

const name = z.string().normalize('NFC').trim().min(1, 'expected a name').max(140, 'expected at most 140 characters');
const words = z.array(z.string().trim().min(1, 'expected a word')).min(1, 'expected at least one word');

const host = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?=.{3,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'expected a host name such as myplatform.example');

/**
 * Domains that customers write but that do not name a shop (docs/routing.md#intake), including their subdomains.
 */
const guarded = [
  'google.com',
  'gmail.com',
  'youtube.com',
  'youtu.be',
  'facebook.com',
  'fb.com',
  'fb.me',
  'messenger.com',
  'instagram.com',
  'tiktok.com',
  'twitter.com',
  'x.com',
  'linkedin.com',
  'zalo.me',
  'zalo.vn',
  'shopify.com',
  'myshopify.com',
  'shopee.vn',
  'lazada.vn',
  'tiki.vn',
  'sendo.vn',
  'microsoft.com',
  'outlook.com',
  'office.com',
  'yahoo.com',
  'icloud.com',
  'apple.com',
  'dropbox.com',
  'prnt.sc',
  'imgur.com',
  'bit.ly',
  't.co',
];

/** What a site can configure (`RULES_FILE`, docs/operate.md#rules). The defaults are the specification's values. */
export const Rules = z.strictObject({
  /** Which CRM field holds what, and the values of the segment list. */
  crm_fields: FieldMap.prefault({}),
  /** Where the site keeps a customer's platform accounts; null if nowhere. */
  account_link: AccountLinkConfig.nullable().default(null),

  // How tickets are routed (docs/routing.md#rules; decisions 9 and 21: claims, team and status).
  /** What an org id does that only the sender vouches for (decision 9: claims). */
  claims: z.enum(ClaimsMode.options, 'expected accept or hold').default('hold'),
  /** Whether addresses of a company's contacts in the CRM vouch for their sender as the company's own do. */
  trust_contact_addresses: z.boolean().default(false),
  /** Addresses from which many shops write, such as a form's: what an agent says on one of their tickets counts for no other. */
  shared_addresses: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[^\s@]+@[^\s@]+$/, 'expected addresses'),
    )
    .default([]),
  /** Agent groups that tickets are routed to. */
  teams: z
    .strictObject({
      medium_scale: name.default('Medium - Scale'),
      medium_grow: name.default('Medium - Grow'),
      sme: name.default('CS 60p'),
    })
    .prefault({}),
  /** Words that identify the shop plan; those of `scale` are tried first. */
  plan_words: z.strictObject({ scale: words.default(['scale']), grow: words.default(['grow']) }).prefault({}),
  /** Values of the customer segment that count as Medium, ignoring case, blanks, `-` and `_`. */
  medium_segments: words.default(['Medium']),

  // What intake looks for in tickets (docs/routing.md#intake).
  /**
   * Hosts under which the platform gives every shop a domain, such as myplatform.example; if empty, intake by platform
   * domain is off.
   */
  platform_hosts: z.array(host).default([]),
  /** Domains that are never taken for a shop's. Platform hosts take precedence. */
  guarded_domains: z.array(host).default(guarded),
});
export type Rules = z.output<typeof Rules>;
/** What routing goes by. */
export type RoutingConfig = Pick<Rules, 'claims' | 'teams' | 'plan_words' | 'medium_segments'>;

/** A value of each rule, as errors and ops/rules.example.json show it. */
export const ruleExamples: Required<z.input<typeof Rules>> = {
  crm_fields: {
    segments: { '15090': 'SME', '15092': 'Medium' },
    extra: [{ field: 'UF_CRM_GMV_30D', key: 'gmv_30d', label: 'GMV 30 days', group: 'metrics' }],
  },
  account_link: { doctype: 'Platform Account Link', customer_field: 'hd_customer' },
  claims: 'accept',
  trust_contact_addresses: false,
  shared_addresses: ['form@myplatform.example'],
  teams: { medium_scale: 'Key Accounts', sme: 'First Line' },
  plan_words: { scale: ['scale', 'enterprise'], grow: ['grow'] },
  medium_segments: ['Medium', 'Mid-Market'],
  platform_hosts: ['myplatform.example'],
  guarded_domains: ['google.com', 'facebook.com'],
};

/**
 * Reads a text of rules, without the defaults of those that it leaves out, and says everything that is wrong with it: where it
 * is no JSON, a key that stands twice, and what each rule expects.
 */
export function parseRules(text: string): { value: unknown; problems: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { value: undefined, problems: [`expected JSON${placeOf(String(error), text)}`] };
  }
  const problems = repeatedKeys(text).map((key) => `${key}: stands twice`);
  const parsed = Rules.safeParse(value, { error: inWords });
  for (const { path, message } of parsed.error?.issues ?? [])
    problems.push(`${path.join('.') || 'the file'}: ${message}${suchAs(path[0])}`);
  return { value, problems };
}

/** Where the parser stopped, as it says or as its position tells. */
function placeOf(message: string, text: string): string {
  const said = /line (\d+) column (\d+)/.exec(message);
  if (said) return `; it breaks in line ${said[1]}, column ${said[2]}`;
  const before = text.slice(0, Number(/position (\d+)/.exec(message)?.[1] ?? text.length)).split('\n');
  return `; it breaks in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** What zod says in words of its own. */
function inWords(issue: { code?: string | undefined; expected?: unknown; keys?: unknown }): string | undefined {
  const kinds: Record<string, string> = { string: 'a text', array: 'a list', object: 'an object', record: 'an object' };
  if (issue.code === 'invalid_type') return `expected ${kinds[String(issue.expected)] ?? issue.expected}`;
  if (issue.code !== 'unrecognized_keys' || !Array.isArray(issue.keys)) return undefined;
  return `there is no ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
}

/** Keys that stand twice in one object of a JSON text; JSON.parse takes the last silently. */
function repeatedKeys(text: string): string[] {
  const repeated: string[] = [];
  const open: Set<string>[] = [];
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (key !== undefined) {
      if (open.at(-1)?.has(key)) repeated.push(JSON.parse(key));
      open.at(-1)?.add(key);
    }
  }
  return repeated;
}

/** What to add to an error about a rule; '' for what is none. */
function suchAs(rule: unknown): string {
  return typeof rule === 'string' && rule in ruleExamples
    ? ` (such as ${JSON.stringify(ruleExamples[rule as keyof Rules])})`
    : '';
}
