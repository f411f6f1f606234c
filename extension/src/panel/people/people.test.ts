import type { AccountLink, ProfileData } from '@deskside/shared/profile';
import { expect, test } from 'vitest';
import { textsFor } from '#panel/texts/texts.ts';
import { type ProfileChange, sampleProfile } from '#testing/sample-profile.ts';
import { peopleOf } from './people.tsx';

const t = textsFor('en');
const who = (change: ProfileChange) =>
  peopleOf(sampleProfile(change), t).map(({ roles, name, emails, phones }) => [
    ...[roles.join(' '), name, ...emails, ...phones],
  ]);
const contact = (change: Partial<NonNullable<ProfileData['contact']>>) => ({
  ...{ name: 'C', full_name: null, email_id: null, phone: null, mobile_no: null },
  ...change,
});
const alone = { company_email: null, company_phone: null, owner_name: null, owner_email: null, owner_phone: null };
const nobody = { raised_by: null, contact: null };
const account = (change: Partial<AccountLink> = {}): AccountLink => ({
  ...{ user: null, email: 'a@x.example', haravan_userid: '1', haravan_orgid: '1000069001', haravan_orgname: null },
  ...{ last_login: '2026-11-20 10:00:00', ...change },
});

test('the places with one email address are one person, each value once, called as the ticket’s contact is', () => {
  const raised_by = 'Owner@Hoa.example ';
  const company = { owner_name: 'Nguyễn Thị Mẫu', owner_email: 'owner@hoa.example', owner_phone: '+84 900 000 001' };
  const calledBy = (full_name: string) => {
    const [person, ...others] = peopleOf(
      sampleProfile({
        ticket: { ...nobody, raised_by },
        contact: contact({ full_name, email_id: 'owner@hoa.example', mobile_no: '0900 000 001' }),
        haravan: [account({ email: 'owner@hoa.example', last_login: null })],
        bitrix: { contact: null },
        company: { ...alone, ...company },
      }),
      t,
    );
    expect(others).toEqual([]);
    expect(person).toMatchObject({ emails: [raised_by], phones: ['0900 000 001'] });
    expect(person?.roles.join(' ')).toBe('sender contact shop_owner account');
    return [person?.name, person?.note];
  };
  expect(calledBy('Trần Văn Bình')).toEqual(['Trần Văn Bình', 'Nguyễn Thị Mẫu in the CRM']);
  expect(calledBy('nguyễn thị mẫu')).toEqual(['nguyễn thị mẫu', null]);
  // What the helpdesk makes of an address is no name.
  for (const made of ['owner@hoa.example', 'Owner']) expect(calledBy(made)).toEqual(['Nguyễn Thị Mẫu', null]);
});

test('the shop’s line is no other name of the owner whose address it has', () => {
  const company = { owner_name: 'Nguyễn Thị Mẫu', owner_email: 'o@hoa.example', company_email: 'o@hoa.example' };
  const [owner] = peopleOf(sampleProfile({ ticket: nobody, contact: null, bitrix: { contact: null }, company }), t);
  expect([owner?.name, owner?.note]).toEqual(['Nguyễn Thị Mẫu', null]);
});

test('names stand as they are stored', () => {
  const names = ['Triệu Lê Minh', 'Nguyễn Văn A', 'Ann Lee'];
  for (const full_name of names)
    expect(peopleOf(sampleProfile({ contact: contact({ full_name }) }), t).map(({ name }) => name)).toContain(
      full_name,
    );
});

test.each([
  [
    'the same name and number',
    contact({ full_name: 'Trần Quang Khải', email_id: 'x@gom.example', phone: '0900000002' }),
  ],
  ['no address', contact({ full_name: 'Trần Quang Khải', phone: '0900000002' })],
  ['what is no address', contact({ full_name: 'Trần Quang Khải', email_id: 'none' })],
])('%s makes nobody the owner', (_, other) => {
  const company = {
    ...alone,
    owner_name: 'Trần Quang Khải',
    owner_email: 'owner@gom.example',
    owner_phone: '0900000002',
  };
  expect(who({ ticket: nobody, contact: other, bitrix: { contact: null }, company })).toHaveLength(2);
});

test('an agent who gave their word is none of the company’s people', () => {
  const evidence = [{ code: 'entered_by_agent' as const, value: 'an@desk.example' }];
  const people = who({
    ticket: { ...nobody, raised_by: 'an@desk.example' },
    ...{ contact: null, bitrix: { contact: null, lookup_trust: { level: 'likely', evidence } }, company: alone },
  });
  expect(people).toEqual([]);
});

test('the shop’s own line is in a row of its own, and accounts say of whom and since when', () => {
  const company = { ...alone, company_email: 'shop@hoa.example', company_phone: '028 3800 0001' };
  const profile = sampleProfile({
    ...{ ticket: nobody, contact: null, bitrix: { contact: null }, company },
    haravan: [account(), account({ email: 'b@x.example', haravan_orgid: '5', haravan_orgname: 'Shop khác' })],
  });
  expect(peopleOf(profile, t).map(({ roles, name, note }) => [roles.join(), name, note])).toEqual([
    ['company', 'Shop line', null],
    ['account', null, 'last sign-in 20/11/2026'],
    ['account', null, 'Shop khác, 5, last sign-in 20/11/2026'],
  ]);
});
