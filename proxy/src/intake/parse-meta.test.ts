import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMeta } from './meta-json.ts';

const parse = (value: unknown) => parseMeta(JSON.stringify(value));

describe('the org id', () => {
  it.each([
    [{ id: 1000069001 }, '1000069001'],
    [{ id: '1000069001' }, '1000069001'],
    [{ id: ' 200000376001 ' }, '200000376001'],
    [{ shop_id: 12345 }, '12345'],
    [{ orgid: '1900000001' }, '1900000001'],
    [{ org_id: 200000010001 }, '200000010001'],
    [{ org_id: 3, orgid: 2, shop_id: 1 }, '1'],
    [{ id: 'gid://shop/1', org_id: '7' }, '7'],
    [{ shop: { id: 1000069001 } }, '1000069001'],
    [{ shop: { id: 2 }, org_id: 1 }, '1'],
    [{ id: null, shop: { orgid: '5' } }, '5'],
    [{ id: 1e21 }, null],
    [{ id: 2 ** 53 }, null],
    [{ id: 1.5 }, null],
    [{ id: -1 }, null],
    [{ id: 0 }, null],
    [{ id: '1000069001.myplatform.example' }, null],
    [{ id: [1] }, null],
    [{ id: true }, null],
    [{ ID: 1 }, null],
    [{ shop: [{ id: 1 }] }, null],
    [{ shop: { shop: { id: 1 } } }, null],
    [{}, null],
  ])('of %j is %j', (value, expected) => expect(parse(value)?.orgId).toBe(expected));

  it('given twice is the last', () => expect(parseMeta('{"id":1,"id":2}')?.orgId).toBe('2'));
});

describe('the domains', () => {
  it.each([
    [{ domain: 'tiemhoamau.example' }, ['tiemhoamau.example']],
    [
      { url: 'https://a.example/', domain: 'b.example', myplatform_domain: 'c.myplatform.example' },
      ['c.myplatform.example', 'b.example', 'a.example'],
    ],
    [{ primary_domain: 'b.example', myplatform_domain: 'a.example' }, ['b.example', 'a.example']],
    [
      { domain: 'a.example', shop: { domain: 'b.example', x_domain: 'c.example' } },
      ['c.example', 'a.example', 'b.example'],
    ],
    [{ myplatform_domain: 'https://Tiem-Hoa-Mau.MyPlatform.example/admin?x#y' }, ['tiem-hoa-mau.myplatform.example']],
    [{ domain: '//a.example/x' }, ['a.example']],
    [{ domain: ' HTTP://WWW.A.Example:8080/x ' }, ['www.a.example']],
    [{ domain: 'a.example.', url: 'https://a.example' }, ['a.example']],
    [{ domain: 'tiệm-hoa.example' }, ['xn--tim-hoa-zv4c.example']],
    [{ domain: 'shop@a.example' }, []],
    [{ domain: 'https://u:p@a.example' }, []],
    [{ domain: '127.0.0.1', url: 'https://2130706433', a_domain: '[::1]', b_domain: 'localhost' }, []],
    [{ domain: 'ftp://a.example' }, []],
    [{ domain: '' }, []],
    [{ domain: ['a.example'], url: 1, x_domain: { a: 1 } }, []],
    [{ contact_email: 'shop@a.example', Domain: 'a.example' }, []],
  ])('of %j are %j', (value, expected) => expect(parse(value)?.domains).toEqual(expected));

  it('are at most ten', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}_domain`, `s${i}.example`]));
    expect(parse(many)?.domains).toHaveLength(10);
  });
});

describe('a document', () => {
  it('as the platform may send it is read', () => {
    const text =
      '{"id":1000069001,"name":"Tiệm Hoa Mẫu","domain":"tiemhoamau.example","myplatform_domain":"tiem-hoa-mau.myplatform.example","contact_email":"shop@tiemhoamau.example","country":"Vietnam","currency":"VND"}';
    expect(parseMeta(text)).toEqual({
      orgId: '1000069001',
      domains: ['tiem-hoa-mau.myplatform.example', 'tiemhoamau.example'],
    });
  });

  it.each(['', 'null', '[]', '[{"id":1}]', '1', '"{}"', '{', '<html>', "{'id':1}", '{"id":1}x', '{"id":01}'])(
    '%j is none',
    (text) => expect(parseMeta(text)).toBeNull(),
  );

  it('nested deeply is read', () => {
    const depth = 100_000;
    expect(parseMeta(`{"id":1,"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)?.orgId).toBe('1');
  });

  it('of any shape is read without throwing, and yields nothing but digits and host names', () => {
    const key = fc.constantFrom(
      'id',
      'shop_id',
      'org_id',
      'shop',
      'domain',
      'url',
      'x_domain',
      'name',
      '__proto__',
      'a',
    );
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'xsmall' },
        fc.jsonValue({ maxDepth: 2 }),
        fc.webUrl(),
        fc.domain(),
        fc.string(),
        tie('object'),
      ),
      object: fc.dictionary(key, tie('value'), { maxKeys: 8 }),
    }));
    fc.assert(
      fc.property(tree.object, (value) => {
        const meta = parse(value);
        expect(meta?.orgId ?? '1').toMatch(/^\d{1,20}$/);
        for (const domain of meta?.domains ?? []) expect(new URL(`https://${domain}`).hostname).toBe(domain);
      }),
    );
  });
});
