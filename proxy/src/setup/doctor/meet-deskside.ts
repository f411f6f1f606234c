import { Discovery } from '@deskside/shared/contract';
import * as z from 'zod';
import type { Config } from '#config.ts';
import { certificateEnd } from '#net/certificate.ts';
import { certificateProblem, type Egress, EgressError, type Upstream } from '#net/egress.ts';
import { jsonOf } from '#runtime/json.ts';
import { version } from '#runtime/version.ts';
import { fault, ok, type Remark, warning } from '#setup/report.ts';

/**
 * What answers at PUBLIC_URL. `absent`: nobody yet, so perhaps the service only has to be started. `another`: the Deskside of
 * another helpdesk. `unsafe`: nobody was asked, since everything would cross the network in the clear.
 */
export interface DesksideAnswer {
  who: 'us' | 'other version' | 'absent' | 'another' | 'unsafe' | 'other';
  said: Remark;
}

const Answer = z.object({ success: z.literal(true), data: Discovery });

/** Asks what is at PUBLIC_URL, as a browser would before anybody has signed in. */
export async function meetDeskside(
  { PUBLIC_URL: origin, HELPDESK_URL }: Pick<Config, 'HELPDESK_URL' | 'PUBLIC_URL'>,
  egress: Egress,
  timeoutMs: number,
): Promise<DesksideAnswer> {
  const met = (who: DesksideAnswer['who'], text: string, todo: string): DesksideAnswer => ({
    who,
    said: fault(text, todo),
  });
  if (origin === undefined)
    return met(
      'other',
      'PUBLIC_URL is not set, so the address at which the helpdesk and the browsers reach the proxy is unknown.',
      'Set PUBLIC_URL to that address, such as https://deskside.example.com.',
    );
  if (!isSafe(origin))
    return met(
      'unsafe',
      `PUBLIC_URL is ${origin}: keys, tickets and CRM data would cross the network in the clear.`,
      'Put a web server with a certificate in front of the proxy and set PUBLIC_URL to its https address.',
    );
  const { host } = new URL(origin);
  try {
    const upstream = egress.upstream(origin, { timeoutMs, maxConnections: 1, direct: true });
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, text } = await upstream.request({ method: 'GET', path: '/.well-known/deskside', signal });
    if ([502, 503, 504].includes(status))
      return met(
        'absent',
        `The web server at ${host} answers, but not the proxy behind it (HTTP ${status}).`,
        'Start the service, and compare HOST and PORT with the address to which that web server sends on.',
      );
    const correct = 'Correct PUBLIC_URL, or the address to which the web server there sends on.';
    const answer = Answer.safeParse(jsonOf(text));
    if (status !== 200 || !answer.success) {
      const what = status === 200 ? 'another page' : `HTTP ${status}`;
      return met('other', `What answers at ${host} is not Deskside: ${what}.`, correct);
    }
    const { helpdesk_url, version: theirs } = answer.data.data;
    if (helpdesk_url !== HELPDESK_URL)
      return met('another', `The Deskside at ${host} is another one: it serves ${helpdesk_url}.`, correct);
    const todo = 'Restart the service after an upgrade, or run the command of the same version.';
    const other = warning(`The Deskside at ${host} is version ${theirs}, this is ${version}.`, todo);
    return theirs === version
      ? { who: 'us', said: (await storeProblem(upstream, signal)) ?? (await sayUntil(origin, signal)) }
      : { who: 'other version', said: other };
  } catch (error) {
    if (!(error instanceof EgressError) && !(error instanceof DOMException)) throw error;
    return notMet(new URL(origin), error);
  }
}

const ReadinessAnswer = z.object({
  data: z.object({ checks: z.array(z.object({ check: z.string(), ok: z.boolean(), message: z.string() })) }),
});

/** What the service has against its store: only who writes to it notices a disk that has become read-only. Null if nothing. */
async function storeProblem(upstream: Upstream, signal: AbortSignal): Promise<Remark | null> {
  const { text } = await upstream.request({ method: 'GET', path: '/readyz', signal });
  const checks = ReadinessAnswer.safeParse(jsonOf(text)).data?.data.checks ?? [];
  const failing = checks.find(({ check, ok }) => check === 'store' && !ok);
  return failing ? fault('The service cannot use its store.', failing.message) : null;
}

async function sayUntil(origin: string, signal: AbortSignal): Promise<Remark> {
  const ends = origin.startsWith('https:') ? await certificateEnd(origin, signal).catch(() => null) : null;
  if (ends === null) return ok(`The proxy answers at ${origin}.`);
  const day = new Date(ends).toISOString().slice(0, 10);
  return ends - Date.now() < 14 * 86_400_000
    ? warning(`The certificate at ${origin} ends on ${day}.`, 'Renew it; a reverse proxy often does so by itself.')
    : ok(`The proxy answers at ${origin}, with a certificate until ${day}.`);
}

function notMet({ host }: URL, error: EgressError | DOMException): DesksideAnswer {
  const { code, certificate, reason } =
    error instanceof EgressError ? error : { code: 'timeout', certificate: null, reason: null };
  if (certificate) {
    const { text, todo } = certificateProblem(certificate, `PUBLIC_URL (${host})`, 'PUBLIC_URL');
    const others = ' The helpdesk has to trust it too (REQUESTS_CA_BUNDLE), and so do the browsers.';
    return { who: 'other', said: fault(text, certificate === 'untrusted' ? todo + others : todo) };
  }
  return {
    who: reason === 'ECONNREFUSED' ? 'absent' : 'other',
    said: fault(
      `PUBLIC_URL: there is no response from ${host} (${reason ?? code}).`,
      'Correct PUBLIC_URL, start the web server in front of the proxy, or look for a firewall or a name missing in the DNS.',
    ),
  };
}

/** Loopback traffic never leaves the machine. */
function isSafe(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
