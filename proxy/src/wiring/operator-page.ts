import { createHmac } from 'node:crypto';
import { createReadRoles } from '#adapters/helpdesk-frappe/sign-in/read-roles.ts';
import { createFrappeSignIn } from '#adapters/helpdesk-frappe/sign-in/sign-in.ts';
import type { Store } from '#adapters/store-sql/store.ts';
import type { CredentialPools } from '#app/access/credential-pools.ts';
import { createOperatorGate, type OperatorGate } from '#app/operator/operator-gate.ts';
import type { Config } from '#config/environment.ts';
import type { OperatorPage } from '#http/operator/operator-routes.ts';
import { readPage } from '#http/operator/page.ts';
import type { Upstream } from '#net/egress.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import { operatorRedirectUri } from '#setup/desired-state.ts';
import { serviceKeyOf } from './service-account.ts';

/** Part of the composition root: the operator page; undefined unless it is switched on. */
export async function wireOperatorPage(config: Config): Promise<OperatorPage | undefined> {
  if (!config.OPERATOR_UI) return undefined;
  return {
    signInKey: createHmac('sha256', serviceKeyOf(config)).update('operator sign-in').digest('base64url'),
    origin: config.PUBLIC_URL,
    files: await readPage(),
  };
}

/** Lets operators in; undefined while signing in is not set up. */
export function wireOperatorGate(parts: {
  config: Config;
  store: Pick<Store, 'operatorSessions'>;
  upstream: Upstream;
  pools: CredentialPools;
  clock: Clock;
}): OperatorGate | undefined {
  const { config, store, upstream, pools, clock } = parts;
  const clientId = config.OAUTH_CLIENT_IDS.operator;
  const origin = config.PUBLIC_URL;
  if (clientId === undefined || origin === undefined) return undefined;
  return createOperatorGate({
    helpdesk: createFrappeSignIn({ upstream, clientId, redirectUri: operatorRedirectUri(origin) }),
    readRoles: createReadRoles(upstream, `token ${serviceKeyOf(config)}`),
    sessions: store.operatorSessions,
    pools,
    clock,
  });
}
