import { Discovery } from '@deskside/shared/contract';
import { jsonOf } from '@deskside/shared/json';
import * as z from 'zod';
import type { Config } from '#config.ts';
import { certificateEnd } from '#net/certificate-end.ts';
import { type Egress, EgressError, type Upstream } from '#net/egress.ts';
import { version } from '#version.ts';
import { judgePublicUrl, type MetAtPublicUrl } from './public-url.ts';

const Answer = z.object({ success: z.literal(true), data: Discovery });

/**
 * Asks what is at PUBLIC_URL, as a browser would before anybody has signed in, and compares it with this configuration.
 */
export async function meetPublicUrl(
  { PUBLIC_URL: origin, HELPDESK_URL }: Pick<Config, 'HELPDESK_URL' | 'PUBLIC_URL'>,
  egress: Egress,
  timeoutMs: number,
): Promise<MetAtPublicUrl> {
  if (origin === undefined) return { kind: 'not_asked' };
  try {
    const upstream = egress.upstream(origin, { timeoutMs, maxConnections: 1 });
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, text } = await upstream.request({ method: 'GET', path: '/.well-known/deskside', signal });
    if ([502, 503, 504].includes(status)) return { kind: 'no_proxy', status };
    if (status !== 200) return { kind: 'foreign', shows: `HTTP ${status}` };
    const answer = Answer.safeParse(jsonOf(text));
    if (!answer.success) return { kind: 'foreign', shows: 'another page' };
    const { helpdesk_url, version: theirs } = answer.data.data;
    if (helpdesk_url !== HELPDESK_URL) return { kind: 'other_helpdesk', helpdeskUrl: helpdesk_url };
    if (theirs !== version) return { kind: 'other_version', theirs, ours: version };
    const isHttps = origin.startsWith('https:');
    return { kind: 'us', certificateEnds: isHttps ? await certificateEnd(origin, signal).catch(() => null) : null };
  } catch (error) {
    if (error instanceof DOMException) return { kind: 'silent', message: '' };
    if (!(error instanceof EgressError)) throw error;
    return notMet(error);
  }
}

/**
 * The Deskside that is met at PUBLIC_URL, to be asked more: null if there is none; and what is wrong there, as sentences.
 */
export async function reachPublicUrl(
  config: Pick<Config, 'HELPDESK_URL' | 'PUBLIC_URL'>,
  egress: Egress,
  timeoutMs: number,
): Promise<{ service: Upstream | null; problems: string[] }> {
  const { PUBLIC_URL } = config;
  if (PUBLIC_URL === undefined) return { service: null, problems: ['PUBLIC_URL is not set, so nobody can ask.'] };
  const met = await meetPublicUrl(config, egress, timeoutMs);
  const problems = judgePublicUrl(PUBLIC_URL, met, Date.now()).findings.map(({ problem }) => problem);
  if (met.kind === 'us' || met.kind === 'other_version')
    return { service: egress.upstream(PUBLIC_URL, { timeoutMs, maxConnections: 1 }), problems };
  const inTheClear = 'PUBLIC_URL is not asked: keys would cross the network in the clear.';
  return { service: null, problems: met.kind === 'not_asked' ? [inTheClear] : problems };
}

function notMet({ code, certificate, reason, message }: EgressError): MetAtPublicUrl {
  if (code === 'blocked') return { kind: 'not_asked' };
  if (certificate) return { kind: 'certificate', fault: certificate };
  if (code === 'timeout' || reason === 'ETIMEDOUT' || reason === 'UND_ERR_CONNECT_TIMEOUT')
    return { kind: 'silent', message };
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN') return { kind: 'name', message: reason };
  return { kind: reason === 'ECONNREFUSED' ? 'refused' : 'unreachable', message };
}
