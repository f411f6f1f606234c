/**
 * Who is signed in on the helpdesk's page, as its cookie `user_id` has it (docs/helpdesk.md#the-ticket-page): still
 * encoded, undefined if there is none. `userOf` reads it.
 */
export function pageUser(): string | undefined {
  return /(^|; )user_id=([^;]*)/.exec(document.cookie)?.[2];
}

/** The user that a cookie `user_id` names, empty for nobody: a guest, no cookie, or one that cannot be decoded. */
export function userOf(cookie: string | undefined): string {
  try {
    const user = decodeURIComponent(cookie ?? '');
    return user === 'Guest' ? '' : user;
  } catch {
    return '';
  }
}
