import {
  AuthorizeRefusal,
  type AuthorizeRequest,
  checkAuthorize,
  exchange,
  issueCode,
} from '#helpdesk/access/oauth-tokens.ts';
import { notWhitelisted } from '#helpdesk/errors.ts';
import { type SiteCall, text } from '#helpdesk/http/call.ts';
import { redirectPage } from '#helpdesk/http/envelope.ts';

const prefix = 'frappe.integrations.oauth2.';

/** An answer of the provider: JSON, a page, or a redirect. */
export interface OAuthAnswer {
  status: 200 | 302 | 400;
  body: Record<string, unknown> | string;
  location?: string;
}

/** The OAuth2 provider's methods (docs/helpdesk.md#oauth); undefined for any other method. Throws FrappeErrors. */
export function oauth(call: SiteCall, method: string): OAuthAnswer | undefined {
  if (!method.startsWith(prefix)) return undefined;
  const { site } = call;
  switch (method.slice(prefix.length)) {
    case 'authorize':
      return authorize(call);
    case 'approve':
      if (call.user === 'Guest') throw notWhitelisted(method);
      return refusable(() => redirect(issueCode(site, checked(call))));
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
function authorize(call: SiteCall): OAuthAnswer {
  const { pathname, search } = call.request.url;
  if (call.user === 'Guest') {
    const back = encodeURIComponent(`${call.site.url}${pathname}${search}`);
    return redirect(`/login?redirect-to=${back}`);
  }
  return refusable(() => {
    const request = checked(call);
    const approve = `/api/method/${prefix}approve${search.replaceAll('+', '%20')}`;
    if (request.client.skip_authorization !== 1) throw new Error('no client of ours asks for consent');
    return redirect(approve);
  });
}

function checked(call: SiteCall): AuthorizeRequest {
  return checkAuthorize(call.site, call.user, call.request.url.searchParams);
}

function refusable(run: () => OAuthAnswer): OAuthAnswer {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof AuthorizeRefusal)) throw error;
    return { status: 400, body: { description: error.message, status_code: 400, error: 'invalid_request' } };
  }
}

function redirect(location: string): OAuthAnswer {
  return { status: 302, location, body: redirectPage(location) };
}
