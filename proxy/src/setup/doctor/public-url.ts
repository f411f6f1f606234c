import type { CertificateFault } from '#helpdesk/helpdesk.ts';
import { type AreaReport, areaReport, finding } from './finding.ts';
import { certificateWords } from './words.ts';

/** What was met at PUBLIC_URL, from this machine. */
export type MetAtPublicUrl =
  /** The proxy with this configuration; `certificateEnds`: epoch milliseconds, null without one. */
  | { kind: 'us'; certificateEnds: number | null }
  /** `name`: of a host that nobody knows. `refused`: nobody listens there. */
  | { kind: 'name' | 'refused' | 'silent' | 'unreachable'; message: string }
  | { kind: 'certificate'; fault: CertificateFault }
  /** A web server that has no proxy behind it at the moment. */
  | { kind: 'no_proxy'; status: number }
  /** Something else than Deskside, as it shows. */
  | { kind: 'foreign'; shows: string }
  /** Another Deskside. */
  | { kind: 'other_helpdesk'; helpdeskUrl: string }
  | { kind: 'other_version'; theirs: string; ours: string }
  /** Keys would cross the network in the clear: it is not asked. */
  | { kind: 'not_asked' };

const dayMs = 86_400_000;
const soonMs = 14 * dayMs;

/** Says what is met where helpdesk and browsers look for the proxy. */
export function judgePublicUrl(publicUrl: string, met: MetAtPublicUrl | null, now: number): AreaReport {
  const area = 'Address';
  if (met === null || met.kind === 'not_asked')
    return areaReport(area, { unchecked: ['Whether the proxy is reached at PUBLIC_URL.'] });
  if (met.kind !== 'us') return areaReport(area, { findings: [wordsOf(publicUrl, met)] });
  const { certificateEnds } = met;
  const day = certificateEnds === null ? '' : new Date(certificateEnds).toISOString().slice(0, 10);
  const endsSoon =
    certificateEnds !== null &&
    certificateEnds - now < soonMs &&
    finding(
      'public_url_certificate_ends',
      `The certificate at ${publicUrl} ends on ${day}.`,
      'Renew it; a reverse proxy often does so by itself.',
    );
  const until = day && `, with a certificate until ${day}`;
  return areaReport(area, { findings: [endsSoon], fine: `The proxy answers at ${publicUrl}${until}.` });
}

function wordsOf(publicUrl: string, met: Exclude<MetAtPublicUrl, { kind: 'us' | 'not_asked' }>) {
  const { host, hostname } = new URL(publicUrl);
  const unreachable = (problem: string, remedy: string) => finding('public_url_unreachable', problem, remedy);
  const foreign = (problem: string) =>
    finding(
      'public_url_foreign',
      problem,
      'Correct PUBLIC_URL, or the address to which the web server there sends on.',
    );
  switch (met.kind) {
    case 'name':
      return unreachable(
        `PUBLIC_URL: no such name as ${hostname} (${met.message}).`,
        'Correct PUBLIC_URL, or enter the name into the DNS.',
      );
    case 'refused':
      return unreachable(
        `PUBLIC_URL: nobody listens at ${host}.`,
        'Start the web server in front of the proxy, or correct PUBLIC_URL.',
      );
    case 'silent':
      return unreachable(
        `PUBLIC_URL: there is no response from ${host}.`,
        'Look for a firewall between, and whether that machine is running.',
      );
    case 'unreachable':
      return unreachable(
        `PUBLIC_URL: ${host} cannot be reached. ${met.message}`,
        'Check the network between, and the web server there.',
      );
    case 'no_proxy':
      return unreachable(
        `The web server at ${host} answers, but not the proxy behind it (HTTP ${met.status}).`,
        'Start the service, and compare HOST and PORT with the address to which that web server sends on.',
      );
    case 'certificate': {
      const { problem, remedy } = certificateWords(met.fault, `PUBLIC_URL (${host})`, 'PUBLIC_URL');
      const others =
        met.fault === 'untrusted'
          ? ' The helpdesk has to trust it too (REQUESTS_CA_BUNDLE), and so do the browsers.'
          : '';
      return finding('public_url_certificate', problem, `${remedy}${others}`);
    }
    case 'foreign':
      return foreign(`What answers at ${host} is not Deskside: ${met.shows}.`);
    case 'other_helpdesk':
      return foreign(`The Deskside at ${host} is another one: it serves ${met.helpdeskUrl}.`);
    case 'other_version':
      return finding(
        'public_url_other_version',
        `The Deskside at ${host} is version ${met.theirs}, this is ${met.ours}.`,
        'Restart the service after an upgrade, or run the command of the same version.',
      );
  }
}
