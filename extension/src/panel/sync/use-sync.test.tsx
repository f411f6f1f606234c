// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import {
  answer,
  button,
  cancelled,
  claimed,
  click,
  container,
  heading,
  mountPanel,
  no,
  of,
  ok,
  open,
  openApplied,
  openPreview,
  openTicket,
  panel,
  press,
  radio,
  says,
  shows,
  text,
} from '#testing/mounted-panel.ts';
import { sampleSync, sampleUndone } from '#testing/sample-answers.ts';
import { noCompany, sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => import('#testing/mocked-send.ts'));
mountPanel();

const itsThem = 'It’s them';
const start = 'It’s them…';
const loaded = (profile = sampleProfile()) => ({ ok: true, data: profile });
const old = sampleProfile({ bitrix: { status: 'error', stale: true, error: { code: 'timeout', request_id: 'r' } } });

describe('the preview', () => {
  test('says in one sentence what would be done, does nothing, and has the focus on its button', async () => {
    await openPreview();
    await until(() => expect(heading()).toBe(itsThem));
    expect(of('sync.preview')[0]?.input).toMatchObject({
      ticket: '61307',
      company_id: '1000069001',
      bitrix_id: '63001',
    });
    const sentence =
      'Confirms that the sender belongs to this shop, creates the customer Tiệm Hoa Mẫu - 1000069001 with 2 fields, and links this ticket to it instead of Khách lẻ.';
    expect(text()).toContain(sentence);
    await says(sentence);
    await until(() => expect(document.activeElement).toBe(button(itsThem)));
    expect(of('sync.apply')).toEqual([]);
    expect(container().querySelector('.sheet details')?.textContent).toContain('PlanSTANDARD OMNI SCALE 2025 (1 năm)');
  });

  test('only one action runs at a time; further presses are ignored', async () => {
    await openPreview();
    await press(itsThem);
    await until(() => expect(button(itsThem)?.getAttribute('aria-busy')).toBe('true'));
    for (const label of [itsThem, 'Cancel', start, 'Refresh CRM Profile']) click(label, true);
    expect([of('sync.preview').length, of('sync.apply').length, of('profile.get').length]).toEqual([1, 1, 1]);
  });

  test('of old data cannot be asked for, and the button says why', async () => {
    await open({ ...old, bitrix: { ...old.bitrix, ...claimed?.bitrix } });
    const more = [...container().querySelectorAll('button')].find((one) => one.textContent === '1 more');
    more?.click();
    await until(() => expect(button(start)?.getAttribute('aria-disabled')).toBe('true'));
    const reason = container().querySelector(`[id="${button(start)?.getAttribute('aria-describedby')}"]`);
    expect(reason?.textContent).toBe('Old data cannot be written. Refresh the profile first.');
    click(start, true);
    expect(of('sync.preview')).toEqual([]);
  });

  test('that meets two records names both, and what each of them is', async () => {
    await open();
    await press(start);
    const conflict = { code: 'customer_has_other_orgid', asked: '1000069001', found: '200000376001' } as const;
    await answer('sync.preview', 0, no('identity_conflict', { conflict }));
    await shows('Org ID of this company: 1000069001');
    await shows('Org ID of the customer: 200000376001');
  });

  test('is refused from the launcher’s menu for old data, which is said', async () => {
    await open(old, true);
    await says('Old data cannot be written. Refresh the profile first.');
    expect(of('sync.preview')).toEqual([]);
  });

  test('is cancelled by leaving the ticket, and the next ticket starts without one', async () => {
    await open();
    await press(start);
    panel().setTicket('2');
    await until(() => expect(cancelled('sync.preview')).toHaveLength(1));
    await answer('sync.preview', 0, ok(sampleSync()));
    await answer('profile.get', 1, loaded(sampleProfile({ ticket: { name: '2' } })));
    await shows('Tiệm Hoa Mẫu');
    expect(heading()).toBeUndefined();
  });

  test('is closed with the panel, and by a refresh', async () => {
    await openPreview();
    await until(() => expect(heading()).toBe(itsThem));
    panel().close();
    await until(() => expect(heading()).toBeUndefined());
    openTicket();
    await press(start);
    await answer('sync.preview', 1, ok(sampleSync()));
    await until(() => expect(heading()).toBe(itsThem));
    await press('Refresh CRM Profile');
    await until(() => expect(heading()).toBeUndefined());
  });

  test('leaves the focus with an agent who is typing in the ticket', async () => {
    const reply = document.body.appendChild(document.createElement('textarea'));
    await open();
    await press(start);
    reply.focus();
    await answer('sync.preview', 0, ok(sampleSync()));
    await until(() => expect(heading()).toBe(itsThem));
    expect(document.activeElement).toBe(reply);
  });

  test('can be requested again after a CRM failure', async () => {
    await openPreview(ok(sampleSync({ status: 'error', customer: null, company: null, changes: [] })));
    await shows('The CRM could not be asked');
    await press('Try again');
    await until(() => expect(of('sync.preview')).toHaveLength(2));
  });
});

describe('what was done', () => {
  test('is taken back with one press, even if the profile has lost its company', async () => {
    await openApplied();
    await press('Undo');
    expect(of('sync.undo')[0]?.input).toEqual({ ticket: '61307', sync_id: 's1' });
    await answer('sync.undo', 0, ok(sampleUndone()));
    const bitrix = { ...noCompany, status: 'missing_orgid' as const, lookup_candidates: [] };
    await answer('profile.get', 2, loaded(sampleProfile({ bitrix })));
    await shows('Undone. The ticket’s customer is Khách lẻ.');
    await says('Undone. The ticket’s customer is Khách lẻ.');
    expect(button('Undo')).toBeUndefined();
  });

  test('can be undone again where that merely failed', async () => {
    await openApplied();
    await press('Undo');
    await answer('sync.undo', 0, no('helpdesk_timeout'));
    await answer('profile.get', 2, loaded());
    await shows('The change may have been made anyway');
    await press('Got it');
    await press('Undo');
    expect(of('sync.undo')).toHaveLength(2);
  });
});

describe('customers made by hand', () => {
  const own = { name: 'Khách lẻ', of_ticket: true, may_adopt: true, outsiders: [] };
  const adoptable = [
    { name: 'Tiệm hoa Mẫu', of_ticket: false, may_adopt: true, outsiders: [] },
    { name: 'TIỆM HOA MẪU', of_ticket: false, may_adopt: true, outsiders: [] },
  ];
  const adopting = (name: string, among = adoptable) =>
    sampleSync({ adoptable: among, customer: { name, created: false, adopted: true }, changes: [] });
  const checked = () => container().querySelector('input:checked')?.closest('label')?.textContent;

  test('another choice while a preview is on its way drops that one', async () => {
    await openPreview(ok(sampleSync({ adoptable })));
    await shows('Which customer belongs to this shop?');
    radio('TIỆM HOA MẪU')?.click();
    await until(() => expect(of('sync.preview')).toHaveLength(2));
    radio('Tiệm hoa Mẫu')?.click();
    await until(() => expect(cancelled('sync.preview')).toHaveLength(1));
    await answer('sync.preview', 2, ok(adopting('Tiệm hoa Mẫu')));
    await answer('sync.preview', 1, ok(adopting('TIỆM HOA MẪU')));
    await shows('Makes Tiệm hoa Mẫu this shop’s customer'.slice(6));
    await press(itsThem);
    await until(() => expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: 'Tiệm hoa Mẫu' }));
  });

  test('that the agent may not edit are named, cannot be chosen, and it is said why', async () => {
    await openPreview(ok(sampleSync({ adoptable: adoptable.map((one) => ({ ...one, may_adopt: false })) })));
    await shows('You cannot choose customers that you may not edit.');
    expect(['A new', 'Tiệm hoa', 'TIỆM'].map((label) => radio(label)?.disabled)).toEqual([false, true, true]);
    await press(itsThem);
    await until(() => expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: null }));
  });

  test('the ticket’s own is preselected, and a new one beside it is not offered', async () => {
    const among = [own, ...adoptable];
    await openPreview(ok(sampleSync({ adoptable: among })));
    await answer('sync.preview', 1, ok(adopting('Khách lẻ', among)));
    expect(of('sync.preview').map(({ input }) => input)).toMatchObject([{ adopt: null }, { adopt: 'Khách lẻ' }]);
    await until(() => expect(checked()).toBe('Khách lẻ, on this ticket'));
    expect(text()).not.toContain('A new customer');
    expect(text()).toContain('If this ticket’s customer is not theirs alone');
    await press(itsThem);
    await until(() => expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: 'Khách lẻ' }));
  });

  test('the ticket’s own that somebody outside the desk holds is not preselected, and they are named', async () => {
    const held = { ...own, outsiders: ['ke@hopthu.example', 'everyone'] };
    await openPreview(ok(sampleSync({ adoptable: [held] })));
    await shows('Khách lẻ, on this ticket; ke@hopthu.example and everybody with an account can read or edit it');
    expect(checked()).toBe('A new customer');
    await press(itsThem);
    await until(() => expect(of('sync.apply')[0]?.input).toMatchObject({ adopt: null }));
  });

  test('a preview of the ticket’s own that fails leaves nothing to apply', async () => {
    await openPreview(ok(sampleSync({ adoptable: [own] })));
    await answer('sync.preview', 1, no('changed_since'));
    await shows('Someone else has changed the customer');
    expect(button(itsThem)).toBeUndefined();
  });
});

describe('the team', () => {
  const box = () => container().querySelector<HTMLInputElement>('input[type=checkbox]');

  test.each([
    ['the rules choose no other team', { team: null }],
    ['the proxy is an older one', {}],
  ])('is not asked about where %s', async (_, more) => {
    await openPreview(ok(sampleSync(more)));
    await until(() => expect(heading()).toBe(itsThem));
    expect(box()).toBeNull();
  });
});
