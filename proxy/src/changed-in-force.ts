import type { Config } from './config.ts';
import { Secret } from './runtime/secret.ts';

/** What is made once for these and lasts as long as the process: sockets, the store, the connections to the helpdesk, the log. */
const needsRestart = [
  'HOST',
  'PORT',
  'TRUSTED_PROXIES',
  'METRICS_PORT',
  'DATABASE_URL',
  'HELPDESK_URL',
  'HELPDESK_API_KEY',
  'HELPDESK_API_SECRET',
  'ALLOW_INSECURE_UPSTREAMS',
  'LOG_LEVEL',
] as const satisfies (keyof Config)[];

/**
 * What can be in force of other settings while the process goes on.
 *
 * @returns `inForce`: `wanted`, but for what needs a restart; `needRestart`: the names of what of that has changed
 */
export function changedInForce(before: Config, wanted: Config): { inForce: Config; needRestart: string[] } {
  const kept = Object.fromEntries(needsRestart.map((name) => [name, before[name]])) as Pick<
    Config,
    (typeof needsRestart)[number]
  >;
  return {
    inForce: { ...wanted, ...kept },
    needRestart: needsRestart.filter((name) => textOf(before[name]) !== textOf(wanted[name])),
  };
}

function textOf(value: unknown): string {
  const texts = [value].flat().map((one) => (one instanceof Secret ? one.reveal() : one));
  return JSON.stringify(texts);
}
