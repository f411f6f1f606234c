import * as z from 'zod/mini';
import { SignInError, type SignInTools } from './sign-in-tools.ts';

/** How long the helpdesk may take, in milliseconds. */
const deadlineMs = 5_000;

const Answer = z.object({ message: z.string() });

/**
 * The helpdesk user to whom an Authorization header belongs: the same id as in the page's cookie.
 * @throws SignInError `signed_out` (the helpdesk refuses it), `unreachable`, `timeout`, `bad_answer`
 */
export async function readUser(
  helpdesk: string,
  authorization: string,
  tools: Pick<SignInTools, 'fetch'>,
): Promise<string> {
  const signal = AbortSignal.timeout(deadlineMs);
  let response: Response;
  let body: unknown;
  try {
    response = await tools.fetch(`${helpdesk}/api/method/frappe.auth.get_logged_user`, {
      headers: { accept: 'application/json', authorization },
      // Without cookies: with them the answer would be about the page's person, and would sign that page out.
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      signal,
    });
    body = await response.json();
  } catch (cause) {
    if (signal.aborted) throw new SignInError('timeout', cause);
    throw new SignInError(cause instanceof SyntaxError ? 'bad_answer' : 'unreachable', cause);
  }
  if (response.status === 401 || response.status === 403) throw new SignInError('signed_out');
  const answer = Answer.safeParse(body);
  if (!response.ok || !answer.success) throw new SignInError('bad_answer');
  return answer.data.message;
}
