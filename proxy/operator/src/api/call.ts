import { type CallError, callEndpoint } from '@deskside/shared/client';
import {
  type OperatorEndpoint,
  type OperatorInput,
  type OperatorOutput,
  operatorContract,
  operatorHeader,
} from '@deskside/shared/operator/contract';

/** Why a question to the proxy was not answered. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly failure: CallError;

  constructor(failure: CallError) {
    super(failure.code);
    this.failure = failure;
  }
}

/** Asks our own proxy, with the session's cookie; `timeoutMs`: how long it may take. Throws CallFailed. */
export async function callOperator<E extends OperatorEndpoint>(
  endpoint: E,
  input: OperatorInput<E>,
  signal?: AbortSignal,
  timeoutMs = 20_000,
): Promise<OperatorOutput<E>> {
  const { method, path, data } = operatorContract[endpoint];
  const how = { method, path, data, headers: { [operatorHeader]: '1' }, credentials: 'same-origin' } as const;
  const result = await callEndpoint(how, input, { baseUrl: location.origin, timeoutMs }, signal);
  if (!result.ok) throw new CallFailed(result.error);
  return result.data as OperatorOutput<E>;
}
