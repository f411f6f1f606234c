import { anyUrl } from '@deskside/testing/any-url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askMeta } from '#intake/meta-json.ts';
import { json, otherAddress, shopAddress, shops } from '#intake/testing/shops.ts';
import { isPublicAddress } from './public-address.ts';

const signal = new AbortController().signal;
const blocked = { kind: 'none', why: 'blocked' };
const words = (line: string) => line.split(' ');

describe('a host that a customer typed is refused before the DNS is asked', () => {
  const hosts = [
    // Literal addresses in every notation.
    '127.0.0.1 10.0.0.1 192.168.1.1 169.254.169.254 0.0.0.0 255.255.255.255 8.8.8.8 127.0.0.1. 2130706433',
    '017700000001 0x7f000001 0x7f.0.0.1 0x7f.1 0177.0.0.1 0177.1 127.1 127.0.1 0 0x0 00 1.1 0x7F.0x0.0x0.0x1',
    '0X7f000001 127.0.0.0x1 127.65535 127.0.0.1.. 256.256.256.256 [::1] ::1 [::] [::ffff:127.0.0.1]',
    '[::ffff:7f00:1] [0:0:0:0:0:ffff:a9fe:a9fe] [fe80::1%25lo] [fe80::1%lo] [64:ff9b::7f00:1] [2002:7f00:1::]',
    '[::127.0.0.1] [fd00:ec2::254] [2606:4700::1111]',
    // The same in letters and digits that the URL parser maps to ASCII.
    '１２７.０.０.１ 127。0。0。1 ①②⑦.⓪.⓪.① １２７．０．０．１ 𝟏𝟐𝟕.𝟎.𝟎.𝟏 127.0.0.\u00ad1 0x７f.1 ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    // Names of the own machine or network.
    'localhost LOCALHOST localhost. LocalHost.LocalDomain foo.localhost a.b.localhost. intranet printer.local',
    'nas.local. db.internal metadata.google.internal METADATA.google.internal. router.lan router.home.arpa',
    '1.0.0.127.in-addr.arpa fritz.home x.corp x.localdomain abc.onion x.ｌｏｃａｌ',
    // User-info, ports, paths, and what a parser takes apart differently.
    'good.shop.example@127.0.0.1 shop.example:pw@127.0.0.1 a@b@127.0.0.1 @127.0.0.1 127.0.0.1@shop.example',
    'shop.example:80 shop.example:443 shop.example:8443 shop.example: 127.0.0.1:443 shop.example:@127.0.0.1',
    'shop.example/admin 127.0.0.1/ shop.example\\@127.0.0.1 127.0.0.1\\.shop.example shop.example/../x /',
    '127.0.0.1?shop.example 127.0.0.1#shop.example shop.example? //127.0.0.1 https://127.0.0.1',
    'http://shop.example 127.0\t.0.1 shop\n.example shop.example\r\n \u0000shop.example shop.example\u00a0',
    '%31%32%37.0.0.1 127%2e0%2e0%2e1 %6c%6f%63%61%6c%68%6f%73%74 shop.example%00 shop.example%2f@127.0.0.1 .',
    '.. .shop.example shop..example -.example -a.example a_b.example',
    `${'a'.repeat(64)}.example ${'a.'.repeat(130)}example`,
    'shop.example.123 shop.0x7f shop.example,127.0.0.1 *.example \ud800.example xn--.example file data:text,{}',
    'javascript:alert(1) shop.example;127.0.0.1 "shop.example"',
  ].flatMap(words);

  it('whatever it is', async () => {
    const { fetch, seen } = await shops({});
    for (const host of [...hosts, ' shop.example', 'sh op.example', '']) {
      const answer = await askMeta(fetch, host, signal);
      expect(answer, host).toMatchObject(blocked);
      expect(answer.address).toMatch(/^https:\/\/[^/@\s\\]*\/meta\.json$/);
      expect(seen, host).toEqual({ asked: [], dialled: [], caught: 0 });
    }
  });
});

describe('an address is refused before the DNS is asked', () => {
  const schemes = 'http ftp file gopher ws wss dict blob:https view-source:https'.split(' ');
  const addresses = (port: number) => [
    ...schemes.map((scheme) => `${scheme}://shop.example/meta.json`),
    ...words('data:application/json,{"id":1} javascript:1 file:///etc/passwd /meta.json about:blank https:'),
    ...words(`http://127.0.0.1:${port}/ https://127.0.0.1:${port}/ https://[::1]:${port}/ //127.0.0.1:${port}/`),
    ...words(
      `https:127.0.0.1:${port} https:\\\\127.0.0.1:${port} https://shop.example:${port}/ https://shop.example:80/`,
    ),
    ...words(
      'https://u:p@shop.example/ https://u@shop.example/ https://:p@shop.example/ https://shop.example@127.0.0.1/',
    ),
    ...words('https://shop.example\\@127.0.0.1/ https://127.0.0.1\\@shop.example/ ht\ntps://127.0.0.1 https://0x7f.1/'),
    '',
  ];

  it('of another scheme, port, host or with user-info', async () => {
    const { fetch, seen, canaries } = await shops({});
    const list = canaries.flatMap(addresses);
    for (const address of list) {
      const answer = await fetch(address, signal);
      // With a backslash, what follows is a path: this one is the shop's, and nothing else.
      if (address === 'https://shop.example\\@127.0.0.1/') expect(answer).toMatchObject({ kind: 'answered' });
      else expect([address, answer]).toEqual([address, { kind: 'failed', why: 'blocked' }]);
    }
    expect(seen.dialled.map(({ addresses }) => addresses)).toEqual(canaries.map(() => [shopAddress]));
    expect(seen.caught).toBe(0);
  });
});

describe('a name is refused by what the DNS says of it', () => {
  const single = [
    '127.0.0.1 127.255.0.1 0.0.0.0 10.1.2.3 100.64.0.1 100.100.100.200 169.254.169.254 168.63.129.16',
    '172.16.0.1 192.0.0.192 192.168.0.1 198.18.0.1 224.0.0.251 255.255.255.255 ::1 :: ::ffff:127.0.0.1',
    '::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1::1 2001:0:53aa:64c:: fc00::1 fd00:ec2::254',
    'fe80::1 fe80::1%lo ff02::1 shop.example 2130706433',
  ].flatMap(words);
  const several = [
    [shopAddress, '127.0.0.1'],
    ['127.0.0.1', shopAddress],
    [shopAddress, otherAddress, '::1'],
    [shopAddress, shopAddress, '10.0.0.1', shopAddress],
    [''],
  ];
  it('wherever one of its addresses is not public', async () => {
    let said: string[] = [];
    const { fetch, seen } = await shops({ dns: () => said });
    const refused = { ...blocked, address: 'https://tiemhoamau.example/meta.json' };
    for (said of [...single.map((address) => [address]), ...several]) {
      seen.asked.length = 0;
      expect([said, await askMeta(fetch, 'tiemhoamau.example', signal)]).toEqual([said, refused]);
      expect(seen).toEqual({ asked: ['tiemhoamau.example'], dialled: [], caught: 0 });
    }
  });

  it('and is asked of the DNS only once, whatever that would say next', async () => {
    const { fetch, seen } = await shops({
      dns: (_, time) => (time === 1 ? [shopAddress] : ['127.0.0.1']),
      listener: (_, response) => json(response, { id: 1 }),
    });
    const answer = await askMeta(fetch, 'shop.example', signal);
    expect(answer).toMatchObject({ kind: 'found', orgId: '1' });
    expect(seen.asked).toEqual(['shop.example']);
    expect(seen.dialled).toMatchObject([{ addresses: [shopAddress], port: 443 }]);
    expect(seen.caught).toBe(0);
  });

  it('and once more for a redirect, also to the same name', async () => {
    const { fetch, seen } = await shops({
      dns: (_, time) => (time === 1 ? [shopAddress] : ['127.0.0.1']),
      listener: (_, response) => response.writeHead(302, { location: '/again' }).end(),
    });
    expect(await askMeta(fetch, 'shop.example', signal)).toMatchObject(blocked);
    expect(seen.asked).toEqual(['shop.example', 'shop.example']);
    expect(seen.dialled).toHaveLength(1);
    expect(seen.caught).toBe(0);
  });
});

describe('a redirect is refused', () => {
  const targets: [string, (port: number) => string][] = [
    ['to http', () => 'http://shop.example/meta.json'],
    ['to loopback', (port) => `http://127.0.0.1:${port}/`],
    ['to loopback by https', () => 'https://127.0.0.1/meta.json'],
    ['to loopback without scheme', (port) => `//127.0.0.1:${port}/`],
    ['to loopback by backslashes', (port) => `\\\\127.0.0.1:${port}\\`],
    ['to loopback with a tab in the scheme', () => 'ht\ttps://127.0.0.1/'],
    ['to IPv6 loopback', (port) => `https://[::1]:${port}/`],
    ['to a decimal address', () => 'https://2130706433/'],
    ['to a hexadecimal address', () => 'https://0x7f.1/'],
    ['to the metadata address', () => 'http://169.254.169.254/latest/meta-data/'],
    ['to the metadata name', () => 'https://metadata.google.internal/computeMetadata/v1/'],
    ['to a public literal address', () => `https://${shopAddress}/`],
    ['to localhost', () => 'https://localhost/'],
    ['to a single label', () => 'https://helpdesk/'],
    ['to another port', () => 'https://shop.example:8443/'],
    ['with user-info', () => 'https://u:p@shop.example/'],
    ['with user-info that hides a host', () => 'https://shop.example@127.0.0.1/'],
    ['to a file', () => 'file:///etc/passwd'],
    ['to data', () => 'data:application/json,{"id":1}'],
    ['to a script', () => 'javascript:{"id":1}'],
    ['to gopher', () => 'gopher://127.0.0.1:6379/_FLUSHALL'],
    ['to nothing that parses', () => 'https://'],
    ['to a name that is private', () => 'https://inner.shop.example/meta.json'],
    ['to a name that is public and private', () => 'https://mixed.shop.example/meta.json'],
  ];
  const dns = (host: string) =>
    host.startsWith('inner') ? ['10.0.0.1'] : host.startsWith('mixed') ? [shopAddress, '::1'] : [shopAddress];

  it('wherever it leads', async () => {
    const requests: (string | undefined)[] = [];
    let location = '';
    const { fetch, seen, canaries } = await shops({
      dns,
      listener: (request, response) => {
        requests.push(request.url);
        response.writeHead(302, { location }).end('{"id":1}');
      },
    });
    for (const [where, target] of targets) {
      location = target(canaries[0] as number);
      const answer = await askMeta(fetch, 'shop.example', signal);
      expect(answer, where).toEqual({ ...blocked, address: 'https://shop.example/meta.json' });
      expect(requests.splice(0), where).toEqual(['/meta.json']);
      expect(seen.dialled.splice(0), where).toHaveLength(1);
      expect(seen.caught, where).toBe(0);
    }
  });
});

describe('proxies of the environment', () => {
  it('are not used', async () => {
    const { fetch, seen, canaries } = await shops({ listener: (_, response) => json(response, { id: 1 }) });
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${canaries[0]}`;
    try {
      expect(await askMeta(fetch, 'shop.example', signal)).toMatchObject({ kind: 'found' });
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      }
    }
    expect(seen.caught).toBe(0);
  });
});

describe('whatever the host and the DNS are', () => {
  it('nothing is dialled but port 443 of public addresses that were just looked up', async () => {
    let said: string[] = [];
    const { fetch, seen } = await shops({ dns: () => said, timeoutMs: 60_000 });
    const piece = fc.oneof(
      fc.constantFrom(...words('shop.example localhost 127.0.0.1 0x7f 1 . @ : / \\ %31 [::1] 。')),
      fc.constantFrom('http://', 'https://', '#', '?', '\t', '\u00ad', '１', 'internal', '443', 'xn--'),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.domain(),
    );
    const host = fc.oneof(
      fc.domain(),
      anyUrl,
      fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('')),
    );
    const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('127.0.0.1', otherAddress, 'x'));
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(host, fc.array(address, { maxLength: 3 }), async (name, addresses) => {
        said = addresses;
        seen.asked.length = 0;
        seen.dialled.length = 0;
        await askMeta(fetch, name, signal);
        expect(seen.asked.length).toBeLessThanOrEqual(1);
        const checked = addresses.length > 0 && addresses.every((one) => isPublicAddress(one));
        if (!checked) expect(seen.dialled).toEqual([]);
        for (const target of seen.dialled) {
          expect(target).toMatchObject({ host: seen.asked[0], port: 443, addresses });
          expect(new URL(`https://${target.host}`).host).toBe(target.host);
          expect(target.host).toMatch(/^[a-z0-9.-]+\.[a-z][a-z0-9-]+$/);
          passed += 1;
        }
      }),
      { numRuns: 1_000 },
    );
    expect(passed).toBeGreaterThan(0);
  });
});
