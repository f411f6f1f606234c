import type { output, ZodMiniType } from 'zod/mini';
import type { Call } from '#context.ts';

/** An endpoint as a contract has it. */
interface Entry {
  method: 'GET' | 'POST';
  path: string;
  input: ZodMiniType<object>;
  data: ZodMiniType<object>;
}

/** What a caller asks by an entry. */
export type Asked<E extends Entry> = output<E['input']>;

/** An entry of the contract with what is done for it. */
export interface Endpoint<E extends Entry = Entry, D extends output<E['data']> = output<E['data']>> {
  entry: E;
  /**
   * Who may ask: agents, or whoever sends a credential. A POST of anybody else is refused before its body is read. What is
   * asked by GET the verb refuses, which asks the helpdesk for the ticket at the same time.
   */
  who: 'agent' | 'signed_in';
  /** The verb. It gets the contract's input, and what it answers is sent as it is. */
  handle(ctx: Call, asked: Asked<E>): Promise<D>;
  /** A sentence about the answer, which older clients show as it is (docs/api.md#envelope). */
  message(data: D): string;
  /** What the envelope says of it; without: that it succeeded. */
  success?(data: D): boolean;
  /** Whether the answer may be given again for a second (docs/decisions.md 17); without: never. */
  lasts?(data: D, asked: Asked<E>): boolean;
}

/** A verb of the service with the row that serves it. It stands beside the verb; `server/app.ts` lists them. */
export function endpoint<E extends Entry, D extends output<E['data']>>(
  entry: E,
  row: Omit<Endpoint<E, D>, 'entry'>,
): Endpoint<E, D> {
  return { entry, ...row };
}
