import { parseSome } from '#config.ts';
import { serviceKeyOf, withServiceKeys } from '#helpdesk/credentials.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { Frappe } from '#helpdesk/frappe.ts';
import { WholeHelpdesk } from '#helpdesk/whole.ts';
import { withEgress } from '#net/egress.ts';
import { StartError } from '#server/http-server.ts';
import { Environment } from '#variables.ts';

/** Longest wait for one response. */
const answerWithinMs = 30_000;

/** What a command that searches the helpdesk needs of the environment. */
const searchSettings = {
  HELPDESK_URL: true,
  HELPDESK_API_KEY: true,
  HELPDESK_API_SECRET: true,
  ALLOW_INSECURE_UPSTREAMS: true,
} as const;

/**
 * Runs work with the helpdesk's search, as the service account of the environment.
 *
 * @throws StartError with one sentence if the helpdesk fails
 */
export async function withHelpdeskSearch<T>(work: (search: WholeHelpdesk) => Promise<T>): Promise<T> {
  const config = parseSome(Environment.pick(searchSettings), process.env);
  return withEgress(config, (egress) => {
    const upstream = egress.upstream(config.HELPDESK_URL, { timeoutMs: answerWithinMs, maxConnections: 2 });
    const serviceKey = serviceKeyOf(config);
    return work(
      new WholeHelpdesk(
        new Frappe(withServiceKeys(config, upstream), `token ${serviceKey}`, { describe: async () => new Map() }),
      ),
    );
  }).catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    throw new StartError(`The helpdesk cannot be searched, so nothing was done (${error.message})`);
  });
}
