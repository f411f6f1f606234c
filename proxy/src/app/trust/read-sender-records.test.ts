import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { newDesk } from '#app/testing/desk.ts';
import { sender } from '#app/testing/desk-seed.ts';
import { medium as orgId } from '#app/testing/sample-companies.ts';
import { testContext } from '#app/testing/test-context.ts';
import { readSenderRecords } from './read-sender-records.ts';

const { signal } = new AbortController();

/** The sender is a member of the customer with the org id, and has an account of it. */
function setUp({ keepsAccounts = true } = {}) {
  const desk = newDesk({ keepsAccounts });
  desk.customers.set('Shop', { platformOrgId: orgId });
  desk.addMember('Shop', sender);
  desk.put('Platform Account Link', 'theirs', { email: sender, platform_orgid: orgId });
  const ctx = testContext({ desk });
  return { desk, bindings: ctx.bindings, read: () => readSenderRecords(ctx, sender, orgId, signal) };
}

test('an account counts where only the desk writes accounts', async () => {
  expect((await setUp({ keepsAccounts: false }).read()).hasAccount).toBe(false);
  expect((await setUp().read()).hasAccount).toBe(true);
  const open = setUp();
  open.desk.openToAll('Platform Account Link');
  expect((await open.read()).hasAccount).toBe(false);
});

test('a customer’s org id is sure where it is protected, and otherwise where we gave it', async () => {
  const isSureIn = async ({ read }: ReturnType<typeof setUp>) => (await read()).customers[0]?.idIsSure;
  expect(await isSureIn(setUp())).toBe(true);
  const open = setUp();
  open.desk.protect('custom_platform_orgid', false);
  expect(await isSureIn(open)).toBe(false);
  const { bindings } = open;
  await bindings.record('Shop', '200000376001' as OrgId, 1, { onClaim: false });
  await bindings.record('Another', orgId, 1, { onClaim: false });
  expect(await isSureIn(open)).toBe(false);
  await bindings.record('Shop', orgId, 1, { onClaim: false });
  expect(await isSureIn(open)).toBe(true);
});

test('an org id that was given on a claim is never sure, protected or not, until it is confirmed', async () => {
  for (const isProtected of [true, false]) {
    const { desk, bindings, read } = setUp();
    desk.protect('custom_platform_orgid', isProtected);
    await bindings.record('Shop', orgId, 1, { onClaim: true });
    expect((await read()).customers[0]?.idIsSure).toBe(false);
    await bindings.confirm('Shop', orgId);
    expect((await read()).customers[0]?.idIsSure).toBe(true);
  }
});
