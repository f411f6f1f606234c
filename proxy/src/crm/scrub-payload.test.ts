import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scrubPayload } from './scrub-payload.ts';

test('a file field keeps its id and loses its addresses, which hold the webhook’s secret', () => {
  const file = { id: '9001', showUrl: '/rest/1/s3cr3t/show_file.php?id=1', downloadUrl: '/rest/1/s3cr3t/download/' };
  expect(JSON.parse(scrubPayload({ ID: '1', LOGO: file, FILES: [file] }))).toEqual({
    ID: '1',
    LOGO: { id: '9001' },
    FILES: [{ id: '9001' }],
  });
});

test('addresses of files go wherever they are nested, whatever they are called', () => {
  const file = { id: '9001', url: 'a', urlMachine: 'b', url_machine: 'c', showUrl: 'd', PREVIEW: [{ imageUrl: 'e' }] };
  expect(JSON.parse(scrubPayload({ DOCUMENTS: [{ VALUE: { FILE: [file] } }] }))).toEqual({
    DOCUMENTS: [{ VALUE: { FILE: [{ id: '9001', PREVIEW: [{}] }] } }],
  });
});

test.each([
  'see https://crm.example/rest/1/s3cr3t0key/crm.company.list',
  'https://crm.example/rest/api/1/s3cr3t0key/',
  'https%3A%2F%2Fcrm.example%2Frest%2F1%2Fs3cr3t0key',
  'https%3A%2F%2Fcrm.example%2Frest%2Fapi%2F1%2Fs3cr3t0key',
  '%252Frest%252F1%252Fs3cr3t0key',
  String.raw`{"hook":"https:\/\/crm.example\/rest\/1\/s3cr3t0key\/"}`,
  'https://crm.example/x?auth=abc',
  'https://crm.example/x?id=1&access_token=abc',
  'https%3A%2F%2Fcrm.example%2Fx%3Faccess_token%3Dabc',
])('text with a webhook’s address is taken out: %s', (text) => {
  expect(JSON.parse(scrubPayload({ COMMENTS: text, TITLE: 'Shop' }))).toEqual({ COMMENTS: null, TITLE: 'Shop' });
});

test('a shop’s own address and ordinary text stay', () => {
  const record = {
    TITLE: 'Nghỉ /rest/ 5 phút',
    UF_CRM_SHOP_URL: 'https://shop.example',
    WEB: [{ VALUE: 'https://shop.example/rest/of/it?x=1' }],
  };
  expect(JSON.parse(scrubPayload(record))).toEqual(record);
});

test('the same record is the same text, in whatever order its members come', () => {
  expect(scrubPayload({ b: { d: 1, c: 2 }, a: [1] })).toBe(scrubPayload({ a: [1], b: { c: 2, d: 1 } }));
});

test('no secret survives anywhere in any record', () => {
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.constant('https://crm.example/rest/57001/s3cr3t0key/'),
      fc.string(),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('node'), { maxKeys: 3 }),
    ),
  })).node;
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (record) => {
      expect(scrubPayload(record)).not.toContain('s3cr3t0key');
    }),
  );
});
