import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Store } from '#store/store.ts';

/** Tests of the contract of what was written to customers, for any store. */
export function describeWrittenFacts(factsOf: () => Store['writtenFacts']): void {
  it('what was written last is known by customer, fact by fact', async () => {
    const customer = `Gốm Sứ ' ; drop table customer_written -- ${randomUUID()}`;
    expect(await factsOf().of(customer)).toEqual({});
    await factsOf().record(customer, { segment: 'SME', shopPlan: 'STANDARD' }, 1_798_000_000_000);
    await factsOf().record(customer, { segment: 'Medium', matchConfidence: 95 }, 1_798_000_000_001);
    expect(await factsOf().of(customer)).toEqual({ segment: 'Medium', shopPlan: 'STANDARD', matchConfidence: 95 });
    expect(await factsOf().of(`${customer} 2`)).toEqual({});
  });
}
