import type { Browser } from '../wanted.ts';

/** What the operator wants of the helpdesk. */
export interface Wishes {
  /** Origin under which the helpdesk reaches the proxy. */
  publicUrl: string;
  /** The current secret of the after-insert webhook. */
  webhookSecret: string;
  /** Browsers that get an OAuth client, with the id of the extension there. */
  browsers: readonly { browser: Browser; extensionId: string }[];
  /** Whether CRM snapshots are to be kept in HD Customer Data. */
  snapshots: boolean;
  /** Whether the fields that only the service writes go to permission level 1. */
  protect: boolean;
  /** The Before Insert script with its current secret; null: not wanted. */
  beforeInsert: { secret: string } | null;
}

/** What is asked for cannot be done on this site; the message says why and what to do. */
export class ProvisionError extends Error {
  override readonly name = 'ProvisionError';
}
