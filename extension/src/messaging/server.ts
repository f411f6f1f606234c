import * as z from 'zod/mini';
import { type PageInput, type PageOutput, type PageVerb, pageVerbs } from './page-protocol.ts';
import { type ContentVerb, contentVerbs, type VerbOutput } from './protocol.ts';
import type { WireAnswer } from './send.ts';
import { type ContentCaller, judgeContentScript, judgePage, type OwnFacts, type SenderFacts } from './sender-policy.ts';

type ParsedInput<V extends ContentVerb> = z.output<(typeof contentVerbs)[V]['input']>;

/** One function per verb. Input has been checked, and a ticket in it is the one that the sender's tab shows. */
export type ContentHandlers = {
  [V in ContentVerb]: (input: ParsedInput<V>, caller: ContentCaller) => Promise<VerbOutput<V>>;
};
export type PageHandlers = { [V in PageVerb]: (input: PageInput<V>) => Promise<PageOutput<V>> };

export interface ServerOptions {
  content: ContentHandlers;
  page: PageHandlers;
  own(): Promise<OwnFacts>;
  /** Does the caller's tab show this ticket? */
  showsTicket(caller: ContentCaller, ticket: string): Promise<boolean>;
  /** Told of every message that was dropped, with a reason but without its content. */
  dropped?(verb: string, reason: string): void;
}

const Wire = z.object({ deskside: z.string(), input: z.unknown() });

/**
 * The one door into the background. Each message passes these checks in order, or is dropped without an answer: shape,
 * known verb, sender, input, and for a verb about a ticket that the sender's tab shows this ticket.
 * Answers are checked against the verb's schema too, so nothing but what the protocol names leaves the background.
 */
export function createServer(options: ServerOptions) {
  return async (message: unknown, sender: SenderFacts): Promise<WireAnswer | undefined> => {
    const wire = Wire.safeParse(message);
    if (!wire.success) return undefined;
    const { deskside: verb, input } = wire.data;
    const drop = (reason: string) => {
      options.dropped?.(verb, reason);
      return undefined;
    };
    if (isVerb(contentVerbs, verb)) {
      const verdict = judgeContentScript(sender, await options.own());
      if (!verdict.allowed) return drop(verdict.reason);
      const parsed = contentVerbs[verb].input.safeParse(input);
      if (!parsed.success) return drop('unusable input');
      if ('ticket' in parsed.data && !(await options.showsTicket(verdict.caller, parsed.data.ticket))) {
        return drop('not the ticket of this tab');
      }
      const handler = options.content[verb] as (input: unknown, caller: ContentCaller) => Promise<unknown>;
      return answer(contentVerbs[verb].output, await handler(parsed.data, verdict.caller), drop);
    }
    if (isVerb(pageVerbs, verb)) {
      const verdict = judgePage(sender, await options.own());
      if (!verdict.allowed) return drop(verdict.reason);
      const parsed = pageVerbs[verb].input.safeParse(input);
      if (!parsed.success) return drop('unusable input');
      const handler = options.page[verb] as (input: unknown) => Promise<unknown>;
      return answer(pageVerbs[verb].output, await handler(parsed.data), drop);
    }
    return drop('unknown verb');
  };
}

function answer(schema: z.ZodMiniType, output: unknown, drop: (reason: string) => undefined): WireAnswer | undefined {
  const parsed = schema.safeParse(output);
  return parsed.success ? { output: parsed.data } : drop('unusable output');
}

function isVerb<T extends object>(verbs: T, verb: string): verb is keyof T & string {
  return Object.hasOwn(verbs, verb);
}
