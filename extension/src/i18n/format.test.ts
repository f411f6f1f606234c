import { expect, test } from 'vitest';
import { ago, capitalized, dateTime, days, daysAgo, grouped, languageOf, list, span } from './format.ts';

const minute = 60_000;
test.each([
  [0, 'just now', 'vừa xong'],
  [-5 * minute, 'just now', 'vừa xong'],
  [44_999, 'just now', 'vừa xong'],
  [45_000, '1 minute ago', '1 phút trước'],
  [3 * minute, '3 minutes ago', '3 phút trước'],
  [59.4 * minute, '59 minutes ago', '59 phút trước'],
  [59.5 * minute, '1 hour ago', '1 giờ trước'],
  [120 * minute, '2 hours ago', '2 giờ trước'],
  [23.5 * 60 * minute, '1 day ago', '1 ngày trước'],
  [48 * 60 * minute, '2 days ago', '2 ngày trước'],
])('%d ms ago is %j and %j', (elapsed, en, vi) => {
  expect(ago('en', elapsed)).toBe(en);
  expect(ago('vi', elapsed)).toBe(vi);
});

test.each([
  [0, '0 days', '0 ngày'],
  [1, '1 day', '1 ngày'],
  [89, '89 days', '89 ngày'],
  [90, '2 months', '2 tháng'],
  [366, '12 months', '12 tháng'],
  [730, '23 months', '23 tháng'],
  [731, '2 years', '2 năm'],
  [2498, '6 years', '6 năm'],
])('%d days are %s and %s', (count, en, vi) => {
  expect([days('en', count), days('vi', count)]).toEqual([en, vi]);
  if (count > 0) expect([daysAgo('en', count), daysAgo('vi', count)]).toEqual([`${en} ago`, `${vi} trước`]);
});

test.each([
  ['Chào shop, em không in được đơn hàng từ sáng nay.', 'vi'],
  ['chao shop, cho em hoi gia han goi', 'vi'],
  ['Hello, the printer of Gốm Sứ Làng Mơ does not work since this morning, please help.', 'en'],
  ['https://', null],
  ['', null],
])('the language of %j is %s', (text, language) => expect(languageOf(text)).toBe(language));

test('a text begins with a capital letter, also with one that has a mark', () => {
  expect([capitalized('en', 'shop owner'), capitalized('vi', 'điện thoại')]).toEqual(['Shop owner', 'Điện thoại']);
});

test('lists are joined in each language', () => {
  expect(list('en', ['1', '2', '3'])).toBe('1, 2, and 3');
  expect(list('vi', ['1', '2'])).toBe('1 và 2');
});

test.each([
  [44_999, 'now', 'vừa xong'],
  [minute, '1m', '1 phút'],
  [120 * minute, '2h', '2 giờ'],
  [48 * 60 * minute, '2d', '2 ngày'],
])('%d ms are %j and %j', (elapsed, en, vi) => {
  expect([span('en', elapsed), span('vi', elapsed)]).toEqual([en, vi]);
});

test("an instant is shown in the reader's time zone; other text stays as it is", () => {
  expect(dateTime('2026-11-20T20:04:59.000Z', 'Asia/Ho_Chi_Minh')).toBe('21/11/2026 03:04');
  expect(dateTime('2026-11-20T20:04:59.000Z', 'UTC')).toBe('20/11/2026 20:04');
  expect(dateTime('yesterday')).toBe('yesterday');
});

test.each([
  ['83000000 VND', '₫83,000,000', '83.000.000\u00a0₫'],
  ['83 000 000 VND', '₫83,000,000', '83.000.000\u00a0₫'],
  ['-1 203 500.5 USD', '-$1,203,500.50', '-1.203.500,50\u00a0US$'],
  ['2 000', '2,000', '2.000'],
  ['1 000 VND, 2 000', '1 000 VND, 2 000', '1 000 VND, 2 000'],
  ['83000000', '83,000,000', '83.000.000'],
  ['12.5', '12.5', '12,5'],
  ['-1234.5', '-1,234.5', '-1.234,5'],
  ['0', '0', '0'],
  ['0900000001', '0900000001', '0900000001'],
  ['12345678901234567890', '12345678901234567890', '12345678901234567890'],
  ['Shopee, TikTok Shop', 'Shopee, TikTok Shop', 'Shopee, TikTok Shop'],
])('%j is grouped, with its unit if it has one', (text, en, vi) => {
  expect([grouped('en', text), grouped('vi', text)]).toEqual([en, vi]);
});
