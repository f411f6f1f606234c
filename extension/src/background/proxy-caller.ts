import { type CallError, type CallResult, callProxy } from '@deskside/shared/client';
import type { Endpoint, Input, Output } from '@deskside/shared/contract';
import type { PanelError, PanelErrorCode } from '../messaging/protocol.ts';
import type { Session } from './session.ts';

/** Longest wait for the proxy, in milliseconds: it answers within its own 5 s, with old data if it must. */
const timeoutMs = 15_000;

export interface ProxyOptions {
  session: Pick<Session, 'authorization' | 'renew'>;
  /** Origin of the proxy in force, or null. */
  proxy(): Promise<string | null>;
  fetch?: typeof globalThis.fetch;
  online?(): boolean;
}

export type ProxyResult<T> = { ok: true; data: T } | { ok: false; error: PanelError };

/**
 * Calls the proxy as the agent. A credential that is not accepted is renewed once, silently, and the call repeated;
 * every way to fail comes back as a code that has a designed view.
 */
export function createProxyCaller({ session, proxy, fetch, online = () => navigator.onLine }: ProxyOptions) {
  return async <E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    signal: AbortSignal,
  ): Promise<ProxyResult<Output<E>>> => {
    const baseUrl = await proxy();
    if (!baseUrl) return failed('not_configured');
    const call = (authorization: string): Promise<CallResult<Output<E>>> =>
      callProxy(endpoint, input, { baseUrl, authorization, timeoutMs, ...(fetch && { fetch }) }, signal);

    const credential = await session.authorization();
    if (!credential.ok) return failed(online() ? credential.code : 'offline');
    if (signal.aborted) return failed('aborted');
    let result = await call(credential.header);
    if (!result.ok && result.error.code === 'unauthenticated') {
      const renewed = await session.renew(credential.header);
      if (!renewed.ok) return failed(renewed.code, result.error);
      result = await call(renewed.header);
      if (!result.ok && result.error.code === 'unauthenticated') return failed('signed_out', result.error);
    }
    if (result.ok) return { ok: true, data: result.data };
    return failed(result.error.code === 'unreachable' && !online() ? 'offline' : result.error.code, result.error);
  };
}

export type ProxyCaller = ReturnType<typeof createProxyCaller>;

function failed(code: PanelErrorCode, error?: CallError): { ok: false; error: PanelError } {
  const { requestId = null, conflict } = error ?? {};
  return { ok: false, error: { code, requestId, ...(conflict && { conflict }) } };
}
