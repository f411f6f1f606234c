import { Discovery, Whoami } from '@deskside/shared/contract';
import * as z from 'zod/mini';
import { Address, ApiKey, Language } from '#settings/schema.ts';
import { PanelErrorCode } from './protocol.ts';
import { post } from './send.ts';

/**
 * The requests that only the extension's own pages may send to the background. A page asks for permissions itself, because
 * that takes a click, but never uses the network.
 */

const AddressState = z.object({
  value: z.nullable(z.string()),
  lock: z.nullable(z.enum(['build', 'policy'])),
  granted: z.boolean(),
});

/** Everything that the options page shows. No secrets: of a session or an API key only whether there is one. */
export const OptionsState = z.object({
  helpdesk: AddressState,
  proxy: AddressState,
  language: Language,
  languageLocked: z.boolean(),
  session: z.enum(['none', 'signed_in', 'api_key']),
  shortcut: z.nullable(z.string()),
  redirectUri: z.string(),
  version: z.string(),
});
export type OptionsState = z.infer<typeof OptionsState>;

const failure = z.object({ ok: z.literal(false), code: PanelErrorCode });

/** The results of a connection test's two calls. `whoami` is null if the first one failed. */
export const ConnectionTest = z.object({
  discovery: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), data: Discovery }), failure]),
  /** The proxy has a client id for this browser. Without one, only an API key works. */
  canSignIn: z.boolean(),
  whoami: z.nullable(z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), data: Whoami }), failure])),
});
export type ConnectionTest = z.infer<typeof ConnectionTest>;

export const pageVerbs = {
  'options.state': { input: z.object({}), output: OptionsState },
  'options.saveAddresses': {
    input: z.object({ helpdesk: z.nullable(Address), proxy: z.nullable(Address) }),
    output: OptionsState,
  },
  'options.saveLanguage': { input: z.object({ language: Language }), output: OptionsState },
  'options.saveApiKey': { input: z.object({ key: z.nullable(ApiKey) }), output: OptionsState },
  'options.test': { input: z.object({}), output: ConnectionTest },
  'options.signIn': { input: z.object({}), output: z.object({ problem: z.nullable(PanelErrorCode) }) },
  'options.signOut': { input: z.object({}), output: OptionsState },
} as const;

export type PageVerb = keyof typeof pageVerbs;
export type PageInput<V extends PageVerb> = z.input<(typeof pageVerbs)[V]['input']>;
export type PageOutput<V extends PageVerb> = z.output<(typeof pageVerbs)[V]['output']>;

/** Sends a request from one of the extension's own pages to the background. Throws SendError. */
export async function ask<V extends PageVerb>(verb: V, input: PageInput<V>): Promise<PageOutput<V>> {
  return (await post(verb, input)) as PageOutput<V>;
}
