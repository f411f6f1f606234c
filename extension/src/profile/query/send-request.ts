import type { PanelError, PanelErrorCode, VerbInput, VerbOutput } from '#messaging/protocol.ts';
import { sendCancellable } from '#messaging/send-cancellable.ts';
import { failureCode } from '#profile/status/failure.ts';

/** Why a request got no answer. A look-up that found nothing is an answer. */
export class RequestFailure extends Error implements PanelError {
  override readonly name = 'RequestFailure';
  readonly code: PanelErrorCode;
  readonly requestId: string | null;

  constructor({ code, requestId }: PanelError) {
    super(code);
    this.code = code;
    this.requestId = requestId;
  }
}

type RequestVerb = 'profile.get' | 'routing.get' | 'around.get' | 'find.search';

/**
 * Sends a request to the background, and cancels it there when the signal aborts.
 * @throws RequestFailure
 */
export async function sendRequest<V extends RequestVerb>(
  verb: V,
  input: Omit<VerbInput<V>, 'call'>,
  signal: AbortSignal,
): Promise<Extract<VerbOutput<V>, { ok: true }>> {
  const result: VerbOutput<RequestVerb> = await sendCancellable(verb, input, signal).catch((cause: unknown) => {
    throw new RequestFailure({ code: failureCode(cause), requestId: null });
  });
  if (!result.ok) throw new RequestFailure(result.error);
  return result as Extract<VerbOutput<V>, { ok: true }>;
}
