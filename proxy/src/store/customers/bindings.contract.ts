import { randomInt } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { expect, it } from 'vitest';
import type { Store } from '#store/store.ts';

/** Tests of the contract of customers' bindings for any store. */
export function describeCustomerBindings(bindingsOf: () => Store['bindings']): void {
  it('which customers were given an org id is known by org id, each once', async () => {
    const orgId = OrgId.parse(String(randomInt(2 ** 40)));
    const name = `Gốm Sứ ' ; drop table customer_binding -- ${orgId}`;
    const sure = { onClaim: false };
    const bound = async (id = orgId) => Object.fromEntries(await bindingsOf().customersOf(id));
    expect(await bound()).toEqual({});
    await bindingsOf().record(name, orgId, 1_798_000_000_000, sure);
    await Promise.all([bindingsOf().record(name, orgId, 2, sure), bindingsOf().record('Another', orgId, 3, sure)]);
    expect(await bound()).toEqual({ [name]: sure, Another: sure });
    expect(await bound(OrgId.parse(`0${orgId}`))).toEqual({});
    await bindingsOf().remove(name, orgId);
    await bindingsOf().remove(name, orgId);
    expect(await bound()).toEqual({ Another: sure });
  });

  it('a binding on a claim stays one until it is confirmed, and never becomes one', async () => {
    const orgId = OrgId.parse(String(randomInt(2 ** 40)));
    const bound = async () => Object.fromEntries(await bindingsOf().customersOf(orgId));
    for (const [at, onClaim] of [true, false].entries()) {
      await bindingsOf().record('Claimed', orgId, at, { onClaim });
      await bindingsOf().record('Sure', orgId, at, { onClaim: !onClaim });
    }
    expect(await bound()).toEqual({ Claimed: { onClaim: true }, Sure: { onClaim: false } });
    for (const customer of ['Claimed', 'Claimed', 'Nobody']) await bindingsOf().confirm(customer, orgId);
    expect(await bound()).toEqual({ Claimed: { onClaim: false }, Sure: { onClaim: false } });
  });
}
