import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import { createEgress } from '#net/egress.ts';
import { webhookName } from '#setup/desired-state.ts';
import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { createAdminClient } from './admin/admin-client.ts';
import { createProofSite, reasonIn } from './proof-site.ts';
import { useSimulatedSite } from './testing/simulated-site.ts';

const helpdesk = useSimulatedSite('1.28');

const pool = "HTTPSConnectionPool(host='deskside.example', port=443): Max retries exceeded with url: /webhooks";

test.each([
  [
    `Traceback (most recent call last):\n  File "x.py"\nrequests.exceptions.SSLError: ${pool} (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1000)')))`,
    'certificate verify failed: unable to get local issuer certificate',
  ],
  [
    `requests.exceptions.ConnectionError: ${pool} (Caused by NewConnectionError('<x>: Failed to establish a new connection: [Errno 111] Connection refused'))`,
    'Connection refused',
  ],
  [
    'requests.exceptions.HTTPError: 502 Server Error: Bad Gateway for url: https://deskside.example/',
    '502 Server Error: Bad Gateway',
  ],
  ['Traceback\n  File "x.py"\nValueError: something else\n', 'ValueError: something else'],
  ['  ', null],
])('what went wrong in %j', (error, reason) => {
  expect(reasonIn(error)).toBe(reason);
});

test('an error of the ticket that had the number before is not told', async () => {
  const { simulator } = await helpdesk.another(() => {});
  const upstream = createEgress({ allowInsecure: true }).upstream(simulator.url, { timeoutMs: 10_000 });
  const [service, admin] = [demo.service, demo.administrator].map(({ apiKey, apiSecret }) =>
    createAdminClient(upstream, `${apiKey}:${apiSecret}`),
  ) as [HelpdeskAdmin, HelpdeskAdmin];
  const { insert, webhookError } = createProofSite({ service, admin }, async () => null);
  const { signal } = new AbortController();
  const ticket = await insert('A proof', signal);
  const log = (name: string, creation: string, error: string) =>
    simulator.put('Webhook Request Log', { name, creation, webhook: webhookName, reference_document: ticket, error });
  log('before', '2026-01-01 00:00:00', 'Connection refused');
  expect(await webhookError?.(ticket, signal)).toBeNull();
  log('now', '2099-01-01 00:00:00', 'certificate verify failed');
  expect(await webhookError?.(ticket, signal)).toBe('certificate verify failed');
});
