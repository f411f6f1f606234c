// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { pageUser, userOf } from './watch-route.ts';

afterEach(() => vi.restoreAllMocks());
const cookies = (text: string) => vi.spyOn(document, 'cookie', 'get').mockReturnValue(text);

test.each([
  ['system_user=yes; full_name=An; user_id=an%40help.example; user_image=', 'an@help.example'],
  ['user_id=Administrator', 'Administrator'],
  ['full_name=Guest; user_id=Guest', ''],
  ['user_id=', ''],
  ['', ''],
  ['x_user_id=an%40help.example; old-user_id=b', ''],
  ['user_id=%E0%A4%A', ''],
])('the cookies "%s" name "%s"', (text, user) => {
  cookies(text);
  expect(userOf(pageUser())).toBe(user);
});
