import type { QueryState } from '@tanstack/react-query';
import { pauseMs } from '#messaging/again.ts';
import type { ContentVerb, PanelError, PanelErrorCode, Result, VerbInput, VerbOutput } from '#messaging/protocol.ts';
import { noAnswer, send, sendOnce } from '#messaging/send.ts';
import { failureKinds } from '#panel/status/failure.ts';

/** What every answer says: which ticket it is about, and each of the decisions on one. */
type AnswerAboutTicket = { ticket: string | { name: string }; decisions?: readonly { ticket: string }[] };

/** The verbs about the ticket on screen. */
export type TicketVerb = {
  [V in ContentVerb]: VerbOutput<V> extends Result<AnswerAboutTicket> ? V : never;
}[ContentVerb];

export type Data<V extends TicketVerb> = Extract<VerbOutput<V>, { ok: true }>['data'];

/** Why a request got no answer. A look-up that found nothing is an answer. */
export class RequestFailure extends Error implements PanelError {
  override readonly name = 'RequestFailure';
  readonly code: PanelErrorCode;

  constructor({ code }: PanelError) {
    super(code);
    this.code = code;
  }
}

/**
 * Asks about the ticket on screen. An answer about another one is refused (decision 16: checked names). Never throws.
 * @param signal cancels it; without one it may change something, and is not repeated
 */
export async function ask<V extends TicketVerb>(
  verb: V,
  input: VerbInput<V> & { ticket: string },
  signal?: AbortSignal,
): Promise<Result<Data<V>>> {
  const result: Result<AnswerAboutTicket> | undefined = await (signal
    ? send(verb, input, signal)
    : sendOnce(verb, input));
  if (!result?.ok) return result ?? failed(noAnswer());
  const { ticket, decisions = [] } = result.data;
  const names = [typeof ticket === 'string' ? ticket : ticket.name, ...decisions.map((one) => one.ticket)];
  const isOwn = names.every((name) => name === input.ticket);
  return isOwn ? (result as Result<Data<V>>) : failed('bad_answer');
}

/** Like `ask`, for queries. @throws RequestFailure */
export async function query<V extends TicketVerb>(
  verb: V,
  input: VerbInput<V> & { ticket: string },
  signal: AbortSignal,
): Promise<Data<V>> {
  const result = await ask(verb, input, signal);
  if (!result.ok) throw new RequestFailure(result.error);
  return result.data;
}

/** The pause before what has failed, or came without a part, is asked for by itself again; false: it is not. Milliseconds. */
export function repeatMs<D>(
  { data, error, dataUpdateCount, errorUpdateCount }: RepeatState<D>,
  isLacking: (data: D) => boolean = () => false,
): number | false {
  if (error) return failureKinds[error.code].passes ? pauseMs(errorUpdateCount) : false;
  return data !== undefined && isLacking(data) ? pauseMs(dataUpdateCount) : false;
}

type RepeatState<D> = Pick<QueryState<D, PanelError>, 'data' | 'error' | 'dataUpdateCount' | 'errorUpdateCount'>;

export function failed(code: PanelErrorCode): Result<never> {
  return { ok: false, error: { code } };
}
