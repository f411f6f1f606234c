/** A token that nobody can guess: 256 random bits, as text that a cookie can hold. */
export function newToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

/** What the store keeps of a token: it tells whether a token is the same, and is no token itself. */
export async function digestOf(token: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(token))).toString('base64url');
}
