import * as z from 'zod/mini';

/** What an operator can change while the proxy runs (docs/settings.md#settings-at-run-time). */
export const settingNames = [
  'CRM_ENABLED',
  'CRM_WEBHOOK_URL',
  'CRM_RESPONSIBLE_WEBHOOK_URL',
  'CRM_PORTAL_URL',
  'CRM_TIMEOUT_SECONDS',
  'CRM_REFRESH_TTL_MINUTES',
  'CRM_EVENT_TOKEN',
  'HELPDESK_WEBHOOK_SECRET',
  'HELPDESK_SCRIPT_SECRET',
  'OAUTH_CLIENT_IDS',
  'crm_fields',
  'account_link',
  'claims',
  'teams',
  'plan_words',
  'medium_segments',
  'platform_hosts',
  'guarded_domains',
] as const;
export const SettingName = z.enum(settingNames);
export type SettingName = z.infer<typeof SettingName>;

/** A secret has a second place for the value that will replace it; both are accepted meanwhile. */
export const settingSlots = ['current', 'next'] as const;
export const SettingSlot = z.enum(settingSlots);
export type SettingSlot = z.infer<typeof SettingSlot>;

/** The first of these that has a value decides. */
export const SettingSource = z.enum(['environment', 'store', 'default']);
export type SettingSource = z.infer<typeof SettingSource>;

/** When a value was last changed in the store (ISO 8601, UTC), and by whom. */
const Changed = z.object({ at: z.iso.datetime(), by: z.string() });

/** One setting as it is in force. */
export const Setting = z.object({
  name: SettingName,
  is_secret: z.boolean(),
  source: SettingSource,
  /** In the form in which it is set, rules as JSON; null if it has none. A secret is `••••`. */
  value: z.nullable(z.string()),
  /** What holds without environment and store; null for nothing. */
  default: z.nullable(z.string()),
  /** How a value looks; null where its name says that. */
  example: z._default(z.nullable(z.string()), null),
  /** When the value in the store was set; null if it has none. It holds unless the environment sets the same setting. */
  stored: z.nullable(Changed),
  /** That value, as it was set; null for a secret, and if there is none. */
  stored_value: z._default(z.nullable(z.string()), null),
  /** Likewise the value that will replace a secret. */
  next: z.nullable(Changed),
});
export type Setting = z.infer<typeof Setting>;

export const SettingsList = z.object({
  /** Grows with every change. */
  version: z.int(),
  settings: z.array(Setting),
  /** Whether there is a master key, without which the store takes no secret. */
  takes_secrets: z.boolean(),
});
export type SettingsList = z.infer<typeof SettingsList>;

/**
 * One change in the audit trail; secrets are `••••`, and null is no value. `default`: what was in force in place of no value;
 * null if nothing was, or if the environment set it.
 */
export const SettingChange = z.object({
  version: z.int(),
  at: z.iso.datetime(),
  by: z.string(),
  name: SettingName,
  slot: SettingSlot,
  action: z.enum(['set', 'unset', 'promoted', 'sealed again']),
  old: z.nullable(z.string()),
  new: z.nullable(z.string()),
  default: z.nullable(z.string()),
});
export type SettingChange = z.infer<typeof SettingChange>;

/** What the proxy itself says of a change to a setting: why it is refused, or what is worth knowing. */
export type SettingRemark =
  | 'value_unusable'
  | 'configuration_unusable'
  | 'not_a_secret'
  | 'needs_master_key'
  | 'not_opened'
  | 'no_next_value'
  | 'overridden'
  | 'host_unknown'
  | 'host_not_public'
  | 'fields_not_checked'
  | 'fields_not_described'
  | 'fields_unknown'
  | 'helpdesk_unasked'
  | 'doctype_unknown'
  | 'doctype_unread'
  | 'doctype_lacks_fields';

/** One such sentence, with its code and what it names. */
export const Remark = z.object({ code: z.string(), params: z.record(z.string(), z.string()), message: z.string() });
export type Remark = z.infer<typeof Remark>;

/** What a change adds to its success: what the operator should know about it. */
export const SettingChanged = z.object({ version: z.int(), notes: z.array(Remark) });
export type SettingChanged = z.infer<typeof SettingChanged>;
