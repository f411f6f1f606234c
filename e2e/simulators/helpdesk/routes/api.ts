import type { Caller } from '#helpdesk/access/auth.ts';
import { identify } from '#helpdesk/access/auth.ts';
import { sessionCookies } from '#helpdesk/access/cookies.ts';
import type { ServerMessage } from '#helpdesk/errors.ts';
import { FrappeError, methodMissing } from '#helpdesk/errors.ts';
import { type Call, readArguments } from '#helpdesk/http/call.ts';
import { errorBody, packMessages } from '#helpdesk/http/envelope.ts';
import type { Site } from '#helpdesk/site/site.ts';
import { login, logout } from './login.ts';
import { callMethod } from './methods.ts';
import { oauth } from './oauth.ts';
import { resource } from './resource.ts';

interface Answer {
  status: number;
  body: Record<string, unknown> | string;
  location?: string;
}

const guest: Caller = { user: 'Guest', session: undefined, staleSession: false };

/** Answers one request under /api/. `onUser` hears whom it was judged as. */
export async function handleApi(site: Site, request: Request, onUser: (user: string) => void): Promise<Response> {
  const messages: ServerMessage[] = [];
  let caller = guest;
  try {
    const read = await readArguments(request);
    caller = identify(site, request, read.args.csrf_token);
    onUser(caller.user);
    const call: Call = { site, caller, user: caller.user, messages, method: request.method, request, ...read };
    const answer = await dispatch(call);
    return respond(site, call.caller, answer, messages);
  } catch (error) {
    if (!(error instanceof FrappeError)) throw error;
    const expired = caller.staleSession && error.status === 403 ? { session_expired: 1 } : {};
    const body = { ...errorBody(error, messages, site.settings.allowErrorTraceback), ...expired };
    return respond(site, caller, { status: error.status, body }, []);
  }
}

async function dispatch(call: Call): Promise<Answer> {
  const [, , kind = '', ...rest] = new URL(call.request.url).pathname.replace('/api/v1/', '/api/').split('/');
  const [head = '', ...tail] = rest.map((part) => decodeURIComponent(part));
  if (kind === 'resource' && head !== '') {
    return resource(call, head, tail.length === 0 ? undefined : tail.join('/'));
  }
  if (kind !== 'method') throw methodMissing(kind);
  if (head === 'login') return { status: 200, body: login(call) };
  if (head === 'logout') return { status: 200, body: logout(call) };
  return oauth(call, head) ?? { status: 200, body: await callMethod(call, head) };
}

function respond(site: Site, caller: Caller, answer: Answer, messages: ServerMessage[]): Response {
  const headers = new Headers();
  for (const cookie of sessionCookies(site, caller)) headers.append('Set-Cookie', cookie);
  if (answer.location !== undefined) headers.set('Location', answer.location);
  if (typeof answer.body === 'string') {
    headers.set('Content-Type', 'text/html; charset=utf-8');
    return new Response(answer.body, { status: answer.status, headers });
  }
  headers.set('Content-Type', 'application/json');
  const said = messages.length > 0 ? { _server_messages: packMessages(messages) } : {};
  return new Response(JSON.stringify({ ...answer.body, ...said }), { status: answer.status, headers });
}
