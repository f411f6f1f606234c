/** An authorization code that waits to be exchanged, or has been. */
export interface AuthorizationCode {
  code: string;
  clientId: string;
  user: string;
  redirectUri: string;
  scope: string;
  challenge: string | null;
  challengeMethod: string;
  expiresAt: number;
  used: boolean;
}

export interface BearerToken {
  accessToken: string;
  refreshToken: string;
  clientId: string;
  user: string;
  scope: string;
  /** Epoch milliseconds. */
  expiresAt: number;
  revoked: boolean;
}

/** Codes and tokens of the OAuth2 provider. Clients are documents of the DocType OAuth Client. */
export class OAuthState {
  readonly codes = new Map<string, AuthorizationCode>();
  readonly tokens: BearerToken[] = [];

  /** The user of a valid access token. */
  userOf(accessToken: string, nowMs: number): string | undefined {
    const token = this.tokens.find((candidate) => candidate.accessToken === accessToken);
    return token === undefined || token.revoked || token.expiresAt <= nowMs ? undefined : token.user;
  }
}
