import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergePeople } from './merge-people.ts';
import { type Mention, roles } from './person.ts';

const part = (text: string | null) => ({ key: String(text), text });
const desk: readonly string[] = ['sender', 'contact'];
/** Somebody as `role`: name, e-mail address, phone number. */
const mention = (role: Mention['role'], name: string | null, email?: string | null, phone?: string): Mention => ({
  key: `${role} ${name} ${email} ${phone}`,
  role,
  isClaim: desk.includes(role),
  name: part(name),
  emails: [part(email ?? null)],
  phones: phone ? [part(phone)] : [],
  notes: [],
});
const who = (mentions: Mention[], vouched = true) =>
  mergePeople(mentions, { vouched }).map(({ roles: all, name, emails, phones }) => [
    all.join(' '),
    name?.text ?? null,
    ...[...emails, ...phones].flatMap(({ text }) => text ?? []),
  ]);

test('the five places that name the owner are one person, each value once', () => {
  expect(
    who([
      mention('sender', null, 'Owner@Hoa.example '),
      mention('contact', 'Nguyễn Mẫu', 'owner@hoa.example', '0900 000 001'),
      mention('shop_owner', 'Nguyễn Thị Mẫu', 'owner@hoa.example', '+84 900 000 001'),
      mention('crm_contact', 'Nguyễn Mẫu', null, '0084900000001'),
      mention('account', null, 'owner@hoa.example'),
    ]),
  ).toEqual([
    ['sender contact shop_owner crm_contact account', 'Nguyễn Thị Mẫu', 'Owner@Hoa.example ', '0900 000 001'],
  ]);
});

test.each<[string, string, string, boolean]>([
  ['the same words in another order', 'Mẫu Nguyễn Thị', 'Nguyễn Thị Mẫu', true],
  ['another case', 'NGUYỄN THỊ MẪU', 'Nguyễn Thị Mẫu', true],
  ['without diacritics', 'Nguyen Thi Mau', 'Nguyễn Thị Mẫu', true],
  ['đ without its stroke', 'Do Van Dung', 'Đỗ Văn Dũng', true],
  ['other diacritics', 'Nguyễn Thị Mậu', 'Nguyễn Thị Mẫu', false],
  ['a single word', 'Mẫu', 'Mẫu', false],
  ['part of the name', 'Nguyễn Mẫu', 'Nguyễn Thị Mẫu', false],
])('names: %s', (_, a, b, same) => {
  expect(who([mention('shop_owner', a), mention('crm_contact', b)])).toHaveLength(same ? 1 : 2);
});

describe('a sender whom nobody vouches for', () => {
  const owner = mention('shop_owner', 'Trần Quang Khải', 'owner@gom.example', '0900000002');

  test('does not become the owner by a name or a number of their own making', () => {
    const posing = mention('contact', 'Trần Quang Khải', 'x@evil.example', '0900000002');
    const sender = mention('sender', null, 'x@evil.example');
    expect(who([sender, posing, owner], false).map(([all]) => all)).toEqual(['sender contact', 'shop_owner']);
    expect(who([sender, posing, owner], true).map(([all]) => all)).toEqual(['sender contact shop_owner']);
  });

  test('is the owner by the owner’s address, under the name that the CRM has', () => {
    const named = mention('contact', 'Ông chủ lớn nhất ở đây', 'owner@gom.example');
    expect(who([named, owner], false)).toEqual([
      ['contact shop_owner', 'Trần Quang Khải', 'owner@gom.example', '0900000002'],
    ]);
  });
});

test('whoever is linked to two people makes them one, in whatever order they come', () => {
  const all = [
    mention('contact', null, 'a@x.example'),
    mention('crm_contact', null, 'b@x.example', '0900000009'),
    { ...mention('shop_owner', null, 'a@x.example', '0900000009') },
  ];
  expect(who(all)).toHaveLength(1);
  expect(who(all.toReversed())).toHaveLength(1);
});

test('somebody who turns out to have an account stays the same on screen', () => {
  const known = [mention('sender', null, 'a@x.example'), mention('crm_contact', 'An', 'a@x.example')];
  const keys = (mentions: Mention[]) => mergePeople(mentions, { vouched: true }).map(({ key }) => key);
  expect(keys([...known, mention('account', null, 'a@x.example')])).toEqual(keys(known));
});

test('nothing is lost: every mention is in exactly one person, whatever their order', () => {
  const mentions = fc.array(
    fc
      .tuple(
        fc.constantFrom(...roles),
        fc.constantFrom(null, 'Nguyễn An', 'An Nguyễn', 'Lê Bình'),
        fc.constantFrom(null, 'a@x.example', 'A@X.example', 'b@x.example'),
        fc.constantFrom('0900000001', '+84900000001', '0900000002', '12'),
      )
      .map((values) => mention(...values)),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(mentions, fc.boolean(), (all, vouched) => {
      const noted = all.map((one, at) => ({ ...one, notes: [part(String(at))] }));
      const notes = mergePeople(noted, { vouched }).flatMap((person) => person.notes.map(({ text }) => text));
      expect(notes.toSorted()).toEqual(noted.map((_, at) => String(at)).toSorted());
      const grouping = (list: Mention[]) =>
        mergePeople(list, { vouched })
          .map(({ roles: each, emails }) =>
            [...each, ...emails.map(({ text }) => text?.toLowerCase()).toSorted()].join(),
          )
          .toSorted();
      expect(grouping(all.toReversed())).toEqual(grouping(all));
    }),
  );
});
