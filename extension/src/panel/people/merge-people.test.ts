import * as fc from 'fast-check';
import { expect, test } from 'vitest';
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
  email: part(email ?? null),
  phones: phone ? [part(phone)] : [],
  notes: [],
});
const who = (mentions: Mention[]) =>
  mergePeople(mentions).map(({ roles: all, name, emails, phones }) => [
    all.join(' '),
    name?.text ?? null,
    ...[...emails, ...phones].flatMap(({ text }) => text ?? []),
  ]);

test('the places with one e-mail address are one person, each value once', () => {
  expect(
    who([
      mention('sender', null, 'Owner@Hoa.example '),
      mention('contact', 'Nguyễn Mẫu', 'owner@hoa.example', '0900 000 001'),
      mention('shop_owner', 'Nguyễn Thị Mẫu', 'owner@hoa.example', '+84 900 000 001'),
      mention('crm_contact', 'Nguyễn Mẫu', 'owner@hoa.example', '0084900000001'),
      mention('account', null, 'owner@hoa.example'),
    ]),
  ).toEqual([
    ['sender contact shop_owner crm_contact account', 'Nguyễn Thị Mẫu', 'Owner@Hoa.example ', '0900 000 001'],
  ]);
});

test.each([
  ['the same name and number', mention('crm_contact', 'Trần Quang Khải', 'x@gom.example', '0900000002')],
  ['the same name and number, and no address', mention('contact', 'Trần Quang Khải', null, '0900000002')],
  ['what is no address', mention('contact', null, 'none')],
])('%s makes nobody the owner', (_, other) => {
  expect(who([other, mention('shop_owner', 'Trần Quang Khải', 'owner@gom.example', '0900000002')])).toHaveLength(2);
  expect(who([other, mention('shop_owner', 'Trần Quang Khải', other.email.text ? 'none' : null)])).toHaveLength(2);
});

test('one person has the name that the CRM has, whatever name the sender writes', () => {
  const named = mention('contact', 'Ông chủ lớn nhất ở đây', 'owner@gom.example');
  const owner = mention('shop_owner', 'Trần Quang Khải', 'owner@gom.example', '0900000002');
  expect(who([named, owner])).toEqual([['contact shop_owner', 'Trần Quang Khải', 'owner@gom.example', '0900000002']]);
});

test('somebody who turns out to have an account stays the same on screen', () => {
  const known = [mention('sender', null, 'a@x.example'), mention('crm_contact', 'An', 'a@x.example')];
  const keys = (mentions: Mention[]) => mergePeople(mentions).map(({ key }) => key);
  expect(keys([...known, mention('account', null, 'a@x.example')])).toEqual(keys(known));
});

test('nothing is lost: every mention is in exactly one person, whatever their order', () => {
  const mentions = fc.array(
    fc
      .tuple(
        fc.constantFrom(...roles),
        fc.constantFrom(null, 'Nguyễn An', 'Lê Bình'),
        fc.constantFrom(null, 'a@x.example', 'A@X.example', 'b@x.example', 'none'),
        fc.constantFrom('0900000001', '+84900000001', '0900000002', '12'),
      )
      .map((values) => mention(...values)),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(mentions, (all) => {
      const noted = all.map((one, at) => ({ ...one, notes: [part(String(at))] }));
      const notes = mergePeople(noted).flatMap((person) => person.notes.map(({ text }) => text));
      expect(notes.toSorted()).toEqual(noted.map((_, at) => String(at)).toSorted());
      const grouping = (list: Mention[]) =>
        mergePeople(list)
          .map(({ roles: each, emails }) =>
            [...each, ...emails.map(({ text }) => text?.toLowerCase()).toSorted()].join(),
          )
          .toSorted();
      expect(grouping(all.toReversed())).toEqual(grouping(all));
    }),
  );
});
