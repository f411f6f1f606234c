// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import {
  answer,
  button,
  cancelled,
  container,
  mountPanel,
  no,
  of,
  ok,
  openPreview,
  press,
  shows,
  text,
} from '#testing/mounted-panel.ts';
import { sampleApplied, sampleSync, sampleUndone } from '#testing/sample-sync.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
mountPanel();

describe('customers made by hand', () => {
  const own = { name: 'Khách lẻ', of_ticket: true, may_adopt: true };
  const adoptable = [
    { name: 'Tiệm hoa Mẫu', of_ticket: false, may_adopt: true },
    { name: 'TIỆM HOA MẪU', of_ticket: false, may_adopt: true },
  ];
  const adopting = (name: string, among = adoptable) =>
    sampleSync({ adoptable: among, customer: { name, created: false, adopted: true }, changes: [] });
  const radio = (label: string) =>
    [...container().querySelectorAll('label')]
      .find((one) => one.textContent?.startsWith(label))
      ?.querySelector('input');
  const checked = () => container().querySelector('input:checked')?.closest('label')?.textContent;

  test('are offered beside a new one; what adopting one would change is shown, and then done', async () => {
    await openPreview(ok(sampleSync({ adoptable })));
    await shows('Which customer belongs to this company?');
    expect(checked()).toBe('A new customer');
    expect(of('sync.preview')[0]?.input).toMatchObject({ adopt: null });
    radio('TIỆM HOA MẪU')?.click();
    await until(() => expect(checked()).toBe('TIỆM HOA MẪU · made by hand'));
    expect(button('Sync now')?.getAttribute('aria-disabled')).toBe('true');
    await answer('sync.preview', 1, ok(adopting('TIỆM HOA MẪU')));
    expect(of('sync.preview')[1]?.input).toMatchObject({ adopt: 'TIỆM HOA MẪU' });
    await shows('becomes this company’s customer');
    await press('Sync now');
    await until(() => expect(of('sync.apply')).toHaveLength(1));
    expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: 'TIỆM HOA MẪU', expectedCustomer: 'Khách lẻ' });
    const customer = { name: 'TIỆM HOA MẪU', created: false, adopted: true };
    await answer('sync.apply', 0, ok(sampleApplied({ customer })));
    await shows('is this company’s customer now');
    await press('Undo');
    await until(() => expect(of('sync.undo')).toHaveLength(1));
    await answer('sync.undo', 0, ok(sampleUndone({ customer })));
    await shows('TIỆM HOA MẪU is no longer this company’s customer');
  });

  test('another choice while a preview is on its way drops that one', async () => {
    await openPreview(ok(sampleSync({ adoptable })));
    await shows('Which customer belongs to this company?');
    radio('TIỆM HOA MẪU')?.click();
    await until(() => expect(of('sync.preview')).toHaveLength(2));
    radio('Tiệm hoa Mẫu')?.click();
    await until(() => expect(of('sync.preview')).toHaveLength(3));
    await until(() => expect(cancelled('sync.preview')).toHaveLength(1));
    await answer('sync.preview', 2, ok(adopting('Tiệm hoa Mẫu')));
    await answer('sync.preview', 1, ok(adopting('TIỆM HOA MẪU')));
    await shows('becomes this company’s customer');
    await press('Sync now');
    await until(() => expect(of('sync.apply')).toHaveLength(1));
    expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: 'Tiệm hoa Mẫu' });
  });

  test('that the agent may not edit are named, cannot be chosen, and it is said why', async () => {
    await openPreview(ok(sampleSync({ adoptable: adoptable.map((one) => ({ ...one, may_adopt: false })) })));
    await shows('You cannot choose customers that you may not edit.');
    expect([radio('A new')?.disabled, radio('Tiệm hoa')?.disabled, radio('TIỆM')?.disabled]).toEqual([
      false,
      true,
      true,
    ]);
    await press('Sync now');
    await until(() => expect(of('sync.apply')).toHaveLength(1));
    expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: null });
  });

  test('the ticket’s own is preselected, and a new one beside it is not offered', async () => {
    const among = [own, ...adoptable];
    await openPreview(ok(sampleSync({ adoptable: among })));
    await answer('sync.preview', 1, ok(adopting('Khách lẻ', among)));
    expect(of('sync.preview').map(({ input }) => input)).toMatchObject([{ adopt: null }, { adopt: 'Khách lẻ' }]);
    await until(() => expect(checked()).toBe('Khách lẻ · on this ticket'));
    expect(text()).not.toContain('A new customer');
    expect(text()).toContain('If this ticket’s customer is not theirs alone');
    radio('TIỆM HOA MẪU')?.click();
    await answer('sync.preview', 2, ok(adopting('TIỆM HOA MẪU', among)));
    await until(() => expect(checked()).toBe('TIỆM HOA MẪU · made by hand'));
    radio('Khách lẻ')?.click();
    await answer('sync.preview', 3, ok(adopting('Khách lẻ', among)));
    await press('Sync now');
    await until(() => expect(of('sync.apply')).toHaveLength(1));
    expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: 'Khách lẻ' });
  });

  test('the ticket’s own as the only one is no choice: it is said that it becomes the company’s', async () => {
    await openPreview(ok(sampleSync({ adoptable: [own] })));
    await answer('sync.preview', 1, ok(adopting('Khách lẻ', [own])));
    await shows('Makes Khách lẻ this company’s customer');
    expect(container().querySelector('fieldset')).toBeNull();
    expect(text()).not.toContain('A new customer');
    await press('Sync now');
    await until(() => expect(of('sync.apply')).toHaveLength(1));
    expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: 'Khách lẻ', expectedCustomer: 'Khách lẻ' });
  });

  test('a preview of the ticket’s own that fails leaves nothing to apply', async () => {
    await openPreview(ok(sampleSync({ adoptable: [own] })));
    await answer('sync.preview', 1, no('changed_since'));
    await shows('Someone else has changed the customer');
    expect(button('Sync now')).toBeUndefined();
  });

  test('are not asked about where there are none', async () => {
    await openPreview();
    await shows('This will change');
    expect(container().querySelector('fieldset')).toBeNull();
  });
});
