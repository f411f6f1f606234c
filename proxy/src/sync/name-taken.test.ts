import { describe, expect, test } from 'vitest';
import { growingOwner as boss, growing, medium } from '#crm/testing/sample-companies.ts';
import { pipelineWorld } from '#testing/pipeline-kit.ts';

// The name that a company's new customer would get is taken (decision 11: which customer).

const plain = 'Shop 200000376001 - 200000376001';
const numbered = 'Shop 200000376001 (2) - 200000376001';
const manager = 'ke@hopthu.example';

/** A ticket of the boss without customer, on a desk where somebody made a customer of this name by hand. */
function world(name: string, facts: object = {}) {
  const w = pipelineWorld({ claims: 'accept' });
  w.desk.customers.set(name, facts);
  w.desk.insert('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  const manage = () => {
    w.desk.openToAll('HD Customer');
    w.desk.put('Contact', 'Kẻ', { owner: 'an@desk.example', user: manager, email_id: manager });
    w.desk.put('User', manager, { user_type: 'Website User', enabled: 1, roles: [] });
    w.desk.put('HD Customer', name, { contacts: [{ contact_name: 'Kẻ', is_manager: 1 }] });
  };
  return { ...w, manage, reason: () => String(w.desk.ticket('1').custom_platform_routing_reason) };
}

describe.each([plain, plain.toUpperCase()])('by %s', (name) => {
  test('which the desk made: routing says at once that it may be the company, and a Sync offers it', async () => {
    const w = world(name);
    await w.run('1');
    expect(w.desk.customerOf('1')).toBeNull();
    expect(w.reason()).toMatch(/^Auto-routed: .* No customer was written: one made by hand has its name and may be it/);
    expect(w.reason()).not.toMatch(/shop 2000/i);
    expect((await w.decided('1'))?.state).toBe('applied');

    const preview = await w.sync('1', growing, { action: 'preview' });
    expect(preview.adoptable).toEqual([{ name, of_ticket: false, may_adopt: true, outsiders: [] }]);
    await w.sync('1', growing, { adopt: name });
    expect([w.desk.customerOf('1'), w.desk.customers.get(name)?.platformOrgId]).toEqual([name, String(growing)]);
  });

  test('which the desk made: an agent who wants a new one gets it, with a number', async () => {
    const w = world(name);
    const preview = await w.sync('1', growing, { action: 'preview' });
    expect(preview.customer).toEqual({ name: numbered, created: true });
    const done = await w.sync('1', growing);
    expect([done.customer, w.desk.customerOf('1')]).toEqual([{ name: numbered, created: true }, numbered]);
  });

  test('which a manager has renamed: the company’s tickets get one with a number, and the reason says so', async () => {
    const w = world(name);
    w.manage();
    await w.run('1');
    expect(w.desk.customerOf('1')).toBe(numbered);
    expect(w.reason()).toContain('Another customer has its name, so the new one has a number.');
    const again = pipelineWorld({ desk: w.desk, store: w.store });
    w.desk.insert('2', { owner: boss, raised_by: boss, custom_orgid: growing });
    await again.run('2');
    expect(w.desk.customerOf('2')).toBe(numbered);
  });

  test('which is another company’s: a number, up to nine; then none is made, and routing and Sync say so', async () => {
    const w = world(name, { platformOrgId: medium });
    const take = (count: number) =>
      w.desk.customers.set(`Shop 200000376001 (${count}) - 200000376001`, { platformOrgId: medium });
    for (let count = 2; count < 9; count += 1) take(count);
    const full = pipelineWorld({ desk: w.desk });
    await w.run('1');
    expect(w.desk.customerOf('1')).toBe('Shop 200000376001 (9) - 200000376001');
    w.desk.remove('HD Customer', 'Shop 200000376001 (9) - 200000376001');
    take(9);
    w.desk.insert('2', { owner: boss, raised_by: boss, custom_orgid: growing });
    await full.run('2');
    expect(w.desk.customerOf('2')).toBeNull();
    await expect(full.sync('2', growing)).rejects.toMatchObject({ code: 'identity_conflict' });
  });
});
