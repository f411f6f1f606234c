import type { PanelErrorCode } from '#messaging/protocol.ts';

export interface SignInTools {
  /** `identity.launchWebAuthFlow`: resolves to the address that the helpdesk redirected to. */
  launch(details: { url: string; interactive: boolean }): Promise<string | undefined>;
  fetch: typeof globalThis.fetch;
  now(): number;
}

/** Why a sign-in gave no token. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly code: PanelErrorCode;

  constructor(code: PanelErrorCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** The code for anything thrown while signing in. */
export function signInErrorCode(error: unknown): PanelErrorCode {
  return error instanceof SignInError ? error.code : 'internal';
}
