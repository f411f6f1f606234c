import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { fakeHelpdesk } from '#app/testing/fake-helpdesk.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { readSenderRecords } from './read-sender-records.ts';

const orgId = '1000069001' as OrgId;
const sender = 'vy@shop.example';
const { signal } = new AbortController();

function setUp() {
  const helpdesk = fakeHelpdesk({}, {});
  helpdesk.ties = { customers: [{ name: 'Shop', linkedBy: 'desk' }] };
  helpdesk.accounts.add(`${sender} ${orgId}`);
  const { bindings } = memoryStore();
  return { helpdesk, bindings, read: () => readSenderRecords({ helpdesk, bindings }, sender, orgId, signal) };
}

test('an account counts where only the desk writes accounts', async () => {
  const { helpdesk, read } = setUp();
  expect((await read()).hasAccount).toBe(false);
  helpdesk.hasAccountLinks = () => true;
  expect((await read()).hasAccount).toBe(true);
  helpdesk.protects.accountLinks = false;
  expect((await read()).hasAccount).toBe(false);
});

test('a customer’s org id is sure where it is protected, and otherwise where we gave it', async () => {
  const { helpdesk, bindings, read } = setUp();
  const isSure = async () => (await read()).customers[0]?.idIsSure;
  expect(await isSure()).toBe(true);
  helpdesk.protects.orgId = false;
  expect(await isSure()).toBe(false);
  await bindings.record('Shop', '200000376001' as OrgId, 1, { onClaim: false });
  await bindings.record('Another', orgId, 1, { onClaim: false });
  expect(await isSure()).toBe(false);
  await bindings.record('Shop', orgId, 1, { onClaim: false });
  expect(await isSure()).toBe(true);
});

test('an org id that was given on a claim is never sure, protected or not, until it is confirmed', async () => {
  const { helpdesk, bindings, read } = setUp();
  await bindings.record('Shop', orgId, 1, { onClaim: true });
  for (const isProtected of [true, false]) {
    helpdesk.protects.orgId = isProtected;
    expect((await read()).customers[0]?.idIsSure).toBe(false);
  }
  await bindings.confirm('Shop', orgId);
  expect((await read()).customers[0]?.idIsSure).toBe(true);
});
