import { randomInt } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { expect, it } from 'vitest';
import type { CustomerBindings } from '#ports/customer/customer-bindings.ts';

/** Tests of the contract of customers' bindings for any store. */
export function describeCustomerBindings(bindingsOf: () => CustomerBindings): void {
  it('which customers were given an org id is known by org id, each once', async () => {
    const orgId = OrgId.parse(String(randomInt(2 ** 40)));
    const name = `Gốm Sứ ' ; drop table customer_binding -- ${orgId}`;
    expect(await bindingsOf().customersOf(orgId)).toEqual(new Set());
    await bindingsOf().record(name, orgId, 1_798_000_000_000);
    await Promise.all([bindingsOf().record(name, orgId, 2), bindingsOf().record('Another', orgId, 3)]);
    expect(await bindingsOf().customersOf(orgId)).toEqual(new Set([name, 'Another']));
    expect(await bindingsOf().customersOf(OrgId.parse(`0${orgId}`))).toEqual(new Set());
    await bindingsOf().remove(name, orgId);
    await bindingsOf().remove(name, orgId);
    expect(await bindingsOf().customersOf(orgId)).toEqual(new Set(['Another']));
  });
}
