import { type CallError, type CallResult, callProxy } from '@deskside/shared/client';
import type { EndpointName, Input, Output } from '@deskside/shared/contract';
import type { PanelError, PanelErrorCode, Result } from '#messaging/protocol.ts';
import type { BearerCredential, Session } from './session.ts';

/** Timeout in milliseconds. A profile is answered within 5 s, with old data if necessary. */
const readTimeoutMs = 15_000;
/** A Sync waits for the CRM's answer: at most 55 s (docs/operate.md#variables), and then writes. */
const writeTimeoutMs = 75_000;

/**
 * Calls the proxy as a user (see `Session`). A credential goes to no other proxy than its own; a rejected one is renewed
 * once, silently, and the call is repeated. Every failure comes back as a code that the panel has a text for.
 */
export function createProxyCaller(session: Pick<Session, 'authorization' | 'renew'>) {
  return async <E extends EndpointName>(
    endpoint: E,
    input: Input<E>,
    signal: AbortSignal,
    user: string | null,
  ): Promise<Result<Output<E>>> => {
    const timeoutMs = endpoint === 'syncTicketCustomer' ? writeTimeoutMs : readTimeoutMs;
    const call = ({ proxy: baseUrl, header: authorization }: BearerCredential): Promise<CallResult<Output<E>>> =>
      callProxy(endpoint, input, { baseUrl, authorization, timeoutMs }, signal);

    const credential = await session.authorization(user);
    if (!credential.ok)
      return failed(navigator.onLine || credential.code === 'not_configured' ? credential.code : 'offline');
    if (signal.aborted) return failed('aborted');
    let result = await call(credential);
    if (!result.ok && result.error.code === 'unauthenticated') {
      const renewed = await session.renew(credential.header, user);
      if (!renewed.ok) return failed(renewed.code, result.error);
      result = await call(renewed);
      if (!result.ok && result.error.code === 'unauthenticated') return failed('signed_out', result.error);
    }
    if (result.ok) return result;
    return failed(
      result.error.code === 'unreachable' && !navigator.onLine ? 'offline' : result.error.code,
      result.error,
    );
  };
}

export type ProxyCaller = ReturnType<typeof createProxyCaller>;

function failed(code: PanelErrorCode, error?: CallError): { ok: false; error: PanelError } {
  const conflict = error?.conflict;
  return { ok: false, error: { code, ...(conflict && { conflict }) } };
}
