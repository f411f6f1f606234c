import { type AuthorizeRequest, checkAuthorize, exchange, issueCode } from '#helpdesk/access/oauth-tokens.ts';
import { notWhitelisted } from '#helpdesk/errors.ts';
import { type SiteCall, text } from '#helpdesk/http/call.ts';
import { redirectPage } from '#helpdesk/http/envelope.ts';

const prefix = 'frappe.integrations.oauth2.';

/** An answer of the API: JSON, a page, or a redirect. */
export interface Answer {
  status: number;
  body: Record<string, unknown> | string;
  location?: string;
}

/** The OAuth2 provider's methods (docs/helpdesk.md#oauth); undefined for any other method. Throws FrappeErrors. */
export function oauth(call: SiteCall, method: string): Answer | undefined {
  if (!method.startsWith(prefix)) return undefined;
  const { site } = call;
  switch (method.slice(prefix.length)) {
    case 'authorize':
      return authorize(call);
    case 'approve':
      if (call.user === 'Guest') throw notWhitelisted(method);
      return authorized(call, (request) => redirect(issueCode(site, request)));
    case 'get_token':
      return exchange(site, call.isForm ? call.body : undefined);
    case 'revoke_token':
      site.oauth.tokens.delete(text(call.args, 'token'));
      return { status: 200, body: {} };
    default:
      return undefined;
  }
}

/** Sends guests to the login page, and trusted clients straight on. */
function authorize(call: SiteCall): Answer {
  const { pathname, search } = call.request.url;
  if (call.user === 'Guest') {
    const back = encodeURIComponent(`${call.site.url}${pathname}${search}`);
    return redirect(`/login?redirect-to=${back}`);
  }
  return authorized(call, ({ client }) => {
    if (client.skip_authorization !== 1) throw new Error('no client of ours asks for consent');
    return redirect(`/api/method/${prefix}approve${search.replaceAll('+', '%20')}`);
  });
}

function authorized(call: SiteCall, answer: (request: AuthorizeRequest) => Answer): Answer {
  const request = checkAuthorize(call.site, call.user, call.request.url.searchParams);
  if (typeof request !== 'string') return answer(request);
  return { status: 400, body: { description: request, status_code: 400, error: 'invalid_request' } };
}

function redirect(location: string): Answer {
  return { status: 302, location, body: redirectPage(location) };
}
