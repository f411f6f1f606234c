import { contract } from '@deskside/shared/contract';
import type { ProfileData } from '@deskside/shared/profile';
import { expect, test } from 'vitest';
import { testApp } from './testing/test-app.ts';

const authorization = 'token key:secret';

test.each([
  ['matched', 'Customer profile loaded.'],
  ['cached', 'Customer profile loaded.'],
  ['not_found', 'No CRM company found.'],
  ['missing_orgid', 'No Company ID for CRM lookup.'],
  ['disabled', 'CRM enrichment is disabled.'],
  ['missing_config', 'CRM is not configured.'],
  ['error', 'CRM fetch failed.'],
] as const)('the message of a profile with the status %s says so: %s', async (status, message) => {
  const data = { pending: [], bitrix: { status, lookup_trust: null, also_named: [] } } as unknown as ProfileData;
  const app = testApp({ verbs: { customerProfile: async () => data } });
  const response = await app.request(`${contract.customerProfile.path}?ticket=1`, { headers: { authorization } });
  expect(await response.json()).toMatchObject({ success: true, message });
});
