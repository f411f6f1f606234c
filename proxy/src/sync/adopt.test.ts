import { SyncData } from '@deskside/shared/enrichment';
import { describe, expect, test } from 'vitest';
import { growingOwner as boss, growing, matched, modifiedAt, sampleCompany } from '#crm/testing/sample-companies.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { AppError } from '#runtime/app-error.ts';
import { enrichmentWorld, newName, orgId, otherOrgId, ticket } from '#testing/enrichment-kit.ts';
import { pipelineWorld } from '#testing/pipeline-kit.ts';

const caller = 'an@desk.example';

/** The company is called so in the CRM. */
const named = ({ crm }: ReturnType<typeof enrichmentWorld>, name: string) => {
  crm.answer = () => matched(sampleCompany({}, { company_name: `${name} - ${orgId}` }));
};

/** A ticket whose customer somebody made by hand, and an agent who syncs it. */
function withHandMade({ customer = 'Acme' as string | null } = {}) {
  const w = enrichmentWorld();
  named(w, 'ACME');
  for (const name of ['Acme', 'Walk-ins']) w.desk.customers.set(name, {});
  w.link(customer);
  return w;
}

describe('a preview', () => {
  const nameless = (w: ReturnType<typeof withHandMade>) => {
    w.link(null);
    named(w, '');
  };

  test('names the customers made by hand that the company may be: the ticket’s, and those of its name', async () => {
    const w = withHandMade({ customer: 'Walk-ins' });
    const data = SyncData.parse(await w.sync({ action: 'preview' }));
    expect(data.customer).toEqual({ name: `ACME - ${orgId}`, created: true });
    expect(data.adoptable).toEqual([
      { name: 'Walk-ins', of_ticket: true, may_adopt: true, outsiders: [] },
      { name: 'Acme', of_ticket: false, may_adopt: true, outsiders: [] },
    ]);
    expect(w.desk.writes).toEqual([]);
  });

  test('says which the caller may not write, and leaves out what they may not even see; the ticket’s own they may adopt', async () => {
    const w = withHandMade({ customer: 'Walk-ins' });
    w.desk.demote(caller);
    const preview = async () => (await w.sync({ action: 'preview' })).adoptable;
    const ofTicket = { name: 'Walk-ins', of_ticket: true, may_adopt: true, outsiders: [] };
    expect(await preview()).toEqual([ofTicket, { name: 'Acme', of_ticket: false, may_adopt: false, outsiders: [] }]);
    w.desk.helpdesk.rights.requireCustomerRead = () => Promise.reject(new HelpdeskError('forbidden', 'denied'));
    expect(await preview()).toEqual([ofTicket]);
  });

  test('fails where it cannot be told what the caller may', async () => {
    const w = withHandMade({ customer: 'Walk-ins' });
    w.ctx.gate.requireCustomerWrite = () => Promise.reject(new AppError('helpdesk_unavailable'));
    await expect(w.sync({ action: 'preview' })).rejects.toMatchObject({ code: 'helpdesk_unavailable' });
  });

  test.each<[string, (w: ReturnType<typeof withHandMade>) => void]>([
    ['the ticket’s has an org id', (w) => w.desk.customers.set('Acme', { platformOrgId: otherOrgId })],
    ['the ticket’s is another CRM company', (w) => w.desk.customers.set('Acme', { crmCompanyId: '99' })],
    ['the company has a customer', (w) => w.desk.customers.set('Shop', { platformOrgId: orgId })],
    ['there is neither a customer nor a name', nameless],
  ])('names none where %s', async (_, given) => {
    const w = withHandMade();
    given(w);
    expect((await w.sync({ action: 'preview' })).adoptable).toEqual([]);
  });

  test('of adopting one says what that would change, and writes nothing', async () => {
    const w = withHandMade();
    const data = SyncData.parse(await w.sync({ action: 'preview', adopt: 'Acme' }));
    expect(data.customer).toEqual({ name: 'Acme', created: false, adopted: true });
    expect(data.changes).toContainEqual({ field: 'custom_platform_orgid', from: null, to: orgId });
    expect(data.adoptable).toHaveLength(1);
    expect([w.desk.writes, w.rows.syncs]).toEqual([[], []]);
  });
});

describe('adopting', () => {
  test('makes the customer the company’s and links the ticket; no new one is made', async () => {
    const w = withHandMade({ customer: null });
    const data = SyncData.parse(await w.sync({ adopt: 'Acme' }));
    expect(data).toMatchObject({
      customer: { name: 'Acme', created: false, adopted: true },
      ticket: { customer: 'Acme', previous_customer: null, linked: true },
    });
    expect(w.desk.customers.get('Acme')).toMatchObject({ platformOrgId: orgId, crmCompanyId: '63001' });
    expect(w.desk.customers.has(`ACME - ${orgId}`)).toBe(false);
    expect(w.confirmed).toEqual([ticket]);
  });

  test('the ticket’s customer takes no more than the permission to write the ticket', async () => {
    const w = withHandMade();
    w.desk.demote(caller);
    const { sync_id } = await w.sync({ adopt: 'Acme' });
    expect(w.desk.customers.get('Acme')?.platformOrgId).toBe(orgId);
    expect(w.rows.adoptions).toMatchObject([
      { customer: 'Acme', by: 'an@desk.example', via: 'sync', ticket: w.desk.keyOf(ticket) },
    ]);
    await w.undo(sync_id ?? '');
    expect(w.desk.customers.get('Acme')?.platformOrgId).toBeUndefined();
    expect(w.rows.adoptions[0]?.undoneAt).toBe(w.clock());
  });

  test('another takes the caller’s own permission to write it, asked before anything of it is told', async () => {
    const w = withHandMade({ customer: 'Walk-ins' });
    w.desk.customers.set('Theirs', { platformOrgId: otherOrgId });
    w.desk.demote(caller);
    for (const adopt of ['Acme', 'Theirs']) {
      for (const action of ['preview', 'apply'] as const)
        await expect(w.sync({ action, adopt })).rejects.toMatchObject({ code: 'customer_not_writable' });
    }
    expect([w.desk.writes, w.rows.syncs]).toEqual([[], []]);
  });

  test.each([
    ['a customer of another company', 'Theirs', 'identity_conflict'],
    ['one that does not exist', 'Nobody', 'customer_not_found'],
    ['a twin of the customer that the company has got since the preview', 'Acme', 'changed_since'],
  ])('refuses %s', async (_, adopt, code) => {
    const w = withHandMade();
    w.desk.customers.set('Theirs', { platformOrgId: otherOrgId });
    if (adopt === 'Acme') w.desk.customers.set('Shop', { platformOrgId: orgId });
    await expect(w.sync({ adopt })).rejects.toMatchObject({ code });
    expect(w.desk.writes).toEqual([]);
  });
});

describe('undoing an adoption', () => {
  test('gives the customer back what it was, and the ticket the customer that it had', async () => {
    const w = withHandMade({ customer: 'Walk-ins' });
    w.desk.customers.set('Acme', { shopPlan: 'By hand' });
    const { sync_id } = await w.sync({ adopt: 'Acme' });
    const data = SyncData.parse(await w.undo(sync_id ?? ''));
    expect(data).toMatchObject({
      ticket: { customer: 'Walk-ins', previous_customer: 'Acme' },
      customer: { name: 'Acme', created: false, adopted: true },
    });
    expect(data.changes).toContainEqual({ field: 'custom_platform_orgid', from: orgId, to: null });
    const { shopPlan, ...rest } = w.desk.customers.get('Acme') ?? {};
    expect([shopPlan, Object.values(rest).filter((value) => (value ?? null) !== null)]).toEqual(['By hand', []]);
    expect((await w.sync({ action: 'preview' })).customer).toEqual({ name: `ACME - ${orgId}`, created: true });
  });

  test('is done again from the current record if somebody writes at that moment', async () => {
    const w = withHandMade();
    const { sync_id } = await w.sync({ adopt: 'Acme' });
    w.desk.before('update', () => w.desk.customers.edit('Acme', { segment: 'Large' }));
    await w.undo(sync_id ?? '');
    expect(w.desk.customers.get('Acme')).toMatchObject({ segment: 'Large', platformOrgId: undefined });
  });

  test('of a customer that was not the ticket’s takes the permission that adopting took', async () => {
    const w = withHandMade({ customer: 'Walk-ins' });
    const { sync_id } = await w.sync({ adopt: 'Acme' });
    w.desk.demote(caller);
    const before = w.desk.writes.length;
    await expect(w.undo(sync_id ?? '')).rejects.toMatchObject({ code: 'customer_not_writable' });
    expect(w.desk.writes).toHaveLength(before);
  });
});

describe('undoing an adoption by its own id', () => {
  test('of the pipeline, takes the company off the customer, which the ticket keeps', async () => {
    const w = pipelineWorld();
    w.desk.customers.set('Hand', {});
    w.desk.insert('1', { owner: boss, raised_by: boss, via_customer_portal: 1, custom_orgid: growing });
    w.desk.setsCustomer('1', 'Hand', 'an@desk.example');
    await w.run('1');
    const { id = '' } = w.rows.adoptions[0] ?? {};
    expect(w.desk.customers.get('Hand')?.platformOrgId).toBe(growing);
    w.desk.insert('2', {});
    await expect(w.undoSync('2', { sync_id: id })).rejects.toMatchObject({ code: 'sync_not_found' });
    const undone = SyncData.parse(await w.undoSync('1', { sync_id: id }));
    expect(undone).toMatchObject({
      ...{ action: 'undo', sync_id: id },
      ticket: { customer: 'Hand', previous_customer: 'Hand', linked: false },
      customer: { name: 'Hand', created: false, adopted: true },
    });
    expect(undone.changes).toContainEqual({ field: 'custom_platform_orgid', from: growing, to: null });
    expect([w.desk.customers.get('Hand')?.platformOrgId, w.desk.customerOf('1')]).toEqual([undefined, 'Hand']);
  });

  test('of a Sync of that ticket, undoes the Sync', async () => {
    const w = withHandMade({ customer: 'Walk-ins' });
    const { sync_id } = await w.sync({ adopt: 'Acme' });
    const undone = await w.undo(w.rows.adoptions[0]?.id ?? '');
    expect(undone).toMatchObject({ sync_id, ticket: { customer: 'Walk-ins', previous_customer: 'Acme' } });
    expect(w.desk.customerOf(ticket)).toBe('Walk-ins');
  });
});

test('an undo of an ordinary sync takes nothing off the customer', async () => {
  const w = enrichmentWorld();
  const { sync_id } = await w.sync();
  const data = await w.undo(sync_id ?? '');
  expect([data.customer, data.changes]).toEqual([null, []]);
  expect(w.desk.customers.get(newName)).toMatchObject({ platformOrgId: orgId, companyModifiedAt: modifiedAt });
});

test.each(['accept', 'hold'] as const)(
  'a ticket’s customer with the org id in its name, which a website user may change, gets no twin (%s)',
  async (claims) => {
    const w = pipelineWorld({ claims });
    const name = `Tên khác - ${growing}`;
    w.desk.customers.set(name, {});
    w.desk.openToAll('HD Customer');
    w.desk.put('Contact', 'Sly', { first_name: 'Sly', user: 'sly@else.example', email_ids: [], links: [] });
    w.desk.save('HD Customer', name, { contacts: [{ contact_name: 'Sly', is_manager: 1 }] });
    const before = w.desk.all('HD Customer').length;
    w.desk.insert('1', { owner: boss, raised_by: boss, custom_orgid: growing });
    w.desk.setsCustomer('1', name);
    await w.run('1');
    expect(w.desk.all('HD Customer')).toHaveLength(before);
    expect(w.desk.customers.get(name)).toEqual({});
    expect(w.desk.customerOf('1')).toBe(name);
  },
);
