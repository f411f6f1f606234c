import { expect, test } from 'vitest';
import { enrichmentWorld, orgId } from '#app/testing/enrichment-kit.ts';

/** A customer that we made the company, and that the helpdesk has joined with another since. */
function joined() {
  const w = enrichmentWorld();
  w.desk.customers.set('Kept', { platformOrgId: orgId });
  const bound = async () => [...(await w.bindings.customersOf(orgId)).keys()];
  return { ...w, bound, bind: (name: string, onClaim = false) => w.bindings.record(name, orgId, 1, { onClaim }) };
}

test('the binding of a customer that is gone follows to the one customer with its org id', async () => {
  const w = joined();
  await w.bind('Gone');
  await w.enrich();
  expect(await w.bound()).toEqual(['Kept']);
  await w.enrich({ force: true });
  expect(await w.bound()).toEqual(['Kept']);
});

test('it stays where website users could have written the org id, and where it was made on a claim', async () => {
  const open = joined();
  open.desk.protect('custom_platform_orgid', false);
  await open.bind('Gone');
  await open.enrich();
  expect(await open.bound()).toEqual(['Gone']);
  const claimed = joined();
  await claimed.bind('Gone', true);
  await claimed.enrich();
  expect(await claimed.bound()).toEqual(['Gone']);
});

test('it stays while its customer is there, and where several have the org id', async () => {
  const there = joined();
  there.desk.customers.set('Former', {});
  await there.bind('Former');
  await there.enrich();
  expect(await there.bound()).toEqual(['Former']);
  const twins = joined();
  twins.desk.customers.set('Twin', { platformOrgId: orgId });
  await twins.bind('Gone');
  await twins.enrich();
  expect(await twins.bound()).toEqual(['Gone']);
});
