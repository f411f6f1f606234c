import type { ClaimsMode } from '@deskside/shared/routing';
import type { Secret } from '#runtime/secret.ts';
import { type Browser, redirectUriOf } from '#setup/desired-state.ts';
import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import type { Made } from '#store/notes.ts';
import type { KeptSetting, PlanItem } from './plan-item.ts';

/** What the operator wants in the helpdesk. */
export interface ProvisionOptions {
  /** Origin at which the helpdesk reaches the proxy. */
  publicUrl: string;
  /** The current secret of the after-insert webhook; null if we have none: that of the helpdesk's webhook, else a new one. */
  webhookSecret: Secret | null;
  /** Browsers that get an OAuth client, with the id of the extension there. */
  browsers: readonly { browser: Browser; extensionId: string }[];
  /** Whether to store CRM snapshots in HD Customer Data. */
  snapshots: boolean;
  /** Whether fields that only the service writes are moved to permission level 1. */
  protect: boolean;
  /** Whether the fields that identify an HD Customer's company move there too, if website users may write them. */
  protectCustomerOrgId: boolean;
  /** The Before Insert script with its current secret; null if not wanted. */
  beforeInsert: { secret: string } | null;
  /** Teams that are made if the helpdesk lacks them. */
  teams: readonly string[];
  /** What the command does before anything else. */
  first: readonly PlanItem[];
}

/** `plan` only shows the plan; `ask` asks for confirmation; `yes` does not. */
export type ProvisionMode = 'plan' | 'ask' | 'yes';

/** What a run reads and keeps of our own settings and store. */
export interface OwnSettings {
  /** `given`: by --claims. `chosen`: what the file of rules says already; null if nothing. */
  claims: { given: ClaimsMode | null; chosen: { mode: ClaimsMode } | null };
  /** The OAuth clients that hold already, by use; `environment`: it goes over the file. */
  clientIds: { ids: Partial<Record<Browser, string>>; by: 'environment' | 'file' | null };
  /**
   * Writes it into its file. Throws if that fails.
   *
   * @returns what is left to the operator, where this account may not write there; or null
   */
  keep(name: KeptSetting, value: string): string | null;
  /** What earlier runs have made, and remembers that. Throws StoreError. */
  made(): Promise<Made>;
  keepMade(made: Made): Promise<void>;
  /** Remembers whether the helpdesk lets anybody sign up. Throws StoreError. */
  keepSignUp(isOpen: boolean): Promise<void>;
}

/** The OAuth clients that are wanted. */
export function wantedClients({
  browsers,
}: Pick<ProvisionOptions, 'browsers'>): { use: Browser; redirectUri: string }[] {
  return browsers.map(({ browser, extensionId }) => ({
    use: browser,
    redirectUri: redirectUriOf(browser, extensionId),
  }));
}

/** Who the key belongs to, which has to be a System Manager. Throws ProvisionError, and HelpdeskError. */
export async function systemManager(
  admin: Pick<HelpdeskAdmin, 'caller'>,
  signal: AbortSignal,
): ReturnType<HelpdeskAdmin['caller']> {
  const caller = await admin.caller(signal);
  if (caller.hasRole('System Manager')) return caller;
  throw new ProvisionError(
    `${caller.user} is not a System Manager of the helpdesk. Use the key of an account that is.`,
  );
}

/** The request cannot be carried out on this site; the message says why and what to do. */
export class ProvisionError extends Error {
  override readonly name = 'ProvisionError';
}
