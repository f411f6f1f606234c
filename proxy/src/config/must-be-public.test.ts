import { expect, test } from 'vitest';
import { mustBePublic, parseConfig } from './environment.ts';

const least = { HELPDESK_URL: 'https://help.example', HELPDESK_API_KEY: 'key', HELPDESK_API_SECRET: 'the-secret' };
const inside = 'https://crm.inside.example/rest/57001/c4n4ryofawebhook/';
const outside = 'https://crm.outside.example/rest/57001/c4n4ryofawebhook/';

test.each([
  ['only the environment names may be private', { CRM_WEBHOOK_URL: inside }, {}, [false, true]],
  ['the store names has to be public', {}, { CRM_WEBHOOK_URL: `${outside},${outside}` }, [true, true]],
  [
    'both name may be private',
    { CRM_WEBHOOK_URL: inside },
    { CRM_WEBHOOK_URL: outside, CRM_RESPONSIBLE_WEBHOOK_URL: inside },
    [false, true],
  ],
])('a CRM that %s', (_, environment, stored, expected) => {
  const config = parseConfig({ ...least, ...environment }).over(stored);
  const origins = [inside, outside].map((address) => new URL(address).origin);
  expect(origins.map((origin) => mustBePublic(config, origin))).toEqual(expected);
});
