import type { SiteCall } from '#helpdesk/http/call.ts';
import { escapeHtml } from '#helpdesk/http/envelope.ts';
import type { FakeSite, SiteSession } from '#helpdesk/site/site.ts';

/** Starts a session; none for an unknown user, a wrong or unset password, or a disabled account. */
export function signIn(site: FakeSite, user: unknown, password: unknown): SiteSession | null {
  const account = site.accounts.get(String(user ?? '').trim());
  if (account?.enabled !== true || account.password === '' || account.password !== password) return null;
  return site.sessions.start(account.name);
}

export function logout(call: SiteCall): Record<string, unknown> {
  if (call.caller.session !== undefined) call.site.sessions.end(call.caller.session.sid);
  call.caller = { user: 'Guest', session: undefined, staleSession: false };
  return { message: 'Logged out' };
}

/** Where to go after signing in: an address on this site, else the helpdesk. */
export function safeTarget(site: FakeSite, wanted: string | null): string {
  const fallback = '/helpdesk';
  if (wanted === null || !URL.canParse(wanted, site.url)) return fallback;
  const target = new URL(wanted, site.url);
  return target.origin === new URL(site.url).origin ? target.href : fallback;
}

/** The login page: a plain form that works without scripts. */
export function loginPage(target: string | null, failed: boolean): string {
  const action = target === null ? '/login' : `/login?redirect-to=${encodeURIComponent(target)}`;
  const notice = failed ? '<p class="notice" role="alert">Invalid login credentials</p>' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Login</title>
<style>
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f8f8f8;color:#171717;font:14px/1.5 Inter,system-ui,sans-serif}
form{width:min(400px,92vw);box-sizing:border-box;padding:32px;border-radius:12px;background:#fff;box-shadow:0 1px 4px #0002}
h1{margin:0 0 20px;font-size:20px;text-align:center}label{display:block;margin:12px 0 4px;color:#525252}
input{width:100%;box-sizing:border-box;padding:9px 12px;border:1px solid #e2e2e2;border-radius:8px;background:#f8f8f8;font:inherit}
button{width:100%;margin-top:20px;padding:10px;border:0;border-radius:8px;background:#171717;color:#fff;font:inherit;cursor:pointer}
.notice{margin:0;padding:8px 12px;border-radius:8px;background:#fff0f0;color:#b52a2a}
</style>
</head>
<body>
<form method="post" action="${escapeHtml(action)}" class="form-signin form-login">
<h1>Login to Helpdesk</h1>${notice}
<label for="login_email">Email</label><input id="login_email" name="usr" type="text" autocomplete="username" required autofocus>
<label for="login_password">Password</label><input id="login_password" name="pwd" type="password" autocomplete="current-password" required>
<button class="btn-login" type="submit">Login</button>
</form>
</body>
</html>
`;
}
