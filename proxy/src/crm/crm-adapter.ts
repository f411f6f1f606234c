import type * as z from 'zod';
import type { Upstream } from '#net/egress.ts';
import type { CompanyEvent, Crm } from './crm.ts';
import type { BucketLimits } from './request-bucket.ts';

/**
 * How to reach and read one CRM. The addresses are secrets: each contains the key to what it opens. Of two the second
 * serves where the first is refused.
 */
export interface CrmConnection<FieldMap> {
  /** For companies, their contacts and segments; at least one. */
  webhookUrls: readonly string[];
  /** For account owners; none if they cannot be looked up. */
  responsibleWebhookUrls: readonly string[];
  /** Origin at which people open the CRM; null for that of the first address. */
  portalUrl: string | null;
  fieldMap: FieldMap;
  /** Returns the upstream for an origin; called once per origin. */
  upstream: (origin: string) => Upstream;
}

/** Everything that a CRM provides: the port, and what configuration, log and webhook route need from it. */
export interface CrmAdapter<FieldMap> {
  /** Which CRM field holds what: `crm_fields` of the rules. Everything has a default. */
  readonly FieldMap: z.ZodType<FieldMap>;
  /** What is wrong with an address in the settings, without quoting it; null if nothing is. */
  addressProblem(address: string): string | null;
  /** The parts of such an address that are secret in themselves. */
  secretsIn(address: string): string[];
  /** The text with any keys to this CRM removed, no matter whose. */
  maskSecrets(text: string): string;
  /** What we allow ourselves, by `CRM_PLAN`. */
  readonly limits: Readonly<Record<'standard' | 'enterprise', BucketLimits>>;
  /** Largest response, compressed or decompressed, in bytes. */
  readonly maxBytes: number;
  /** Throws for an invalid address, without quoting it. */
  connect(connection: CrmConnection<FieldMap>): Crm;
  /** The token of an event posted by the CRM, found without parsing; '' without one. */
  eventToken(body: Buffer): string;
  /** What such an event announces; null if that does not concern us. */
  readEvent(body: Buffer): CompanyEvent | null;
}
