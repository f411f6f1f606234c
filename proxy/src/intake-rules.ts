import * as z from 'zod';

const host = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?=.{3,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'expected a host name such as myplatform.example');

/** Domains that name no shop, though customers write them (facts/domain.md section 3). Subdomains are meant as well. */
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

/** The part of the rules that intake goes by. */
export const IntakeRules = z.strictObject({
  /** Hosts below which the platform gives every shop a domain, such as myplatform.example; none: intake by platform domain is off. */
  platform_hosts: z.array(host).default([]),
  /** Domains that are never taken for a shop's. A platform host goes before them. */
  guarded_domains: z.array(host).default(guarded),
});
export type IntakeRules = z.output<typeof IntakeRules>;
