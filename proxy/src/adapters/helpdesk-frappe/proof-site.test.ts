import { expect, test } from 'vitest';
import { reasonIn } from './proof-site.ts';

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
