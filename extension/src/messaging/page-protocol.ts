import { Discovery, Whoami } from '@deskside/shared/contract';
import { TicketName } from '@deskside/shared/input';
import { RoutingDecisions } from '@deskside/shared/routing';
import { Today } from '@deskside/shared/today';
import * as z from 'zod/mini';
import { PanelErrorCode, resultOf } from './protocol.ts';
import { post } from './send.ts';
import { Address, Language, UiLanguage } from './settings.ts';

/**
 * The requests that only the extension's own pages may send to the background. A page asks for permissions itself, because
 * that takes a click, but never uses the network.
 */

const AddressState = z.object({
  value: z.nullable(z.string()),
  lock: z.nullable(z.enum(['build', 'policy'])),
  granted: z.boolean(),
});

/** Everything that the options page shows. No secrets. */
export const OptionsState = z.object({
  helpdesk: AddressState,
  proxy: AddressState,
  language: Language,
  /** What the setting comes to. */
  spoken: UiLanguage,
  languageLocked: z.boolean(),
  shortcut: z.nullable(z.string()),
  version: z.string(),
});
export type OptionsState = z.infer<typeof OptionsState>;

/** The results of a connection test's two calls. `whoami` is null if the first one failed. */
export const ConnectionTest = z.object({
  discovery: resultOf(Discovery),
  /** The proxy has a client id for this browser. */
  canSignIn: z.boolean(),
  whoami: z.nullable(resultOf(Whoami)),
});
export type ConnectionTest = z.infer<typeof ConnectionTest>;

/** The helpdesk that a proxy serves; null: it names an address that cannot be used. */
const ServedHelpdesk = z.object({ proxy: Address, helpdesk: z.nullable(Address) });
export type ServedHelpdesk = z.infer<typeof ServedHelpdesk>;

export const pageVerbs = {
  /** Asks a proxy that is not set up yet which helpdesk it serves. Saves nothing. */
  'welcome.find': { input: z.object({ proxy: Address }), output: resultOf(ServedHelpdesk) },
  'options.state': { input: z.object({}), output: OptionsState },
  'options.saveAddresses': {
    input: z.object({ helpdesk: z.nullable(Address), proxy: z.nullable(Address) }),
    output: OptionsState,
  },
  'options.saveLanguage': { input: z.object({ language: Language }), output: OptionsState },
  'options.test': { input: z.object({}), output: ConnectionTest },
  /** Null: signed in. */
  'options.signIn': { input: z.object({}), output: z.nullable(PanelErrorCode) },
  'options.signOut': { input: z.object({}), output: OptionsState },
  /** What all teams got on a day, from and to in epoch milliseconds. */
  'team.today': { input: z.object({ from: z.int(), to: z.int(), rows: z.optional(z.int()) }), output: resultOf(Today) },
  'team.decisions': { input: z.object({ ticket: TicketName }), output: resultOf(RoutingDecisions) },
} as const;

export type PageVerb = keyof typeof pageVerbs;
export type PageInput<V extends PageVerb> = z.input<(typeof pageVerbs)[V]['input']>;
export type PageOutput<V extends PageVerb> = z.output<(typeof pageVerbs)[V]['output']>;

/** Sends a request from one of the extension's own pages to the background. Undefined if there is no answer. Never throws. */
export const ask = <V extends PageVerb>(verb: V, input: PageInput<V>) => post<PageOutput<V>>(verb, input);
