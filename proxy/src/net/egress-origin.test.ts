import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEgress, EgressError } from './egress.ts';
import { closers, failureOf, get, secret, serve } from './testing/servers.ts';

describe('no request leaves its origin', () => {
  const elsewhere = '//evil.example/|/\\evil.example/|\\\\evil.example|http://evil.example/|@evil.example/|'.split('|');
  const changed = '/a/../b|/a/..|/./a|/%2e%2e/a|/%2E./a|/a b|/a\r\nx: y|/a\0|/a#b|/ă|/a\\b'.split('|');
  it.each([...elsewhere, ...changed])('refuses the path %j', async (path) => {
    const upstream = await serve((_, response) => response.end());
    expect((await failureOf(get(upstream, path))).code).toBe('blocked');
  });

  it('whatever the path is: it is refused, or arrives byte for byte', async () => {
    const seen: (string | undefined)[] = [];
    const upstream = await serve((request, response) => {
      seen.push(request.url);
      response.end();
    });
    const piece = fc.oneof(
      fc.constantFrom('/', '//', '\\', '..', '%2e', '@', ':', '?', '#', 'evil.example', 'http:', '%2f', '\r\n', ' '),
      fc.string({ maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const path = `/${pieces.join('')}`;
        seen.length = 0;
        const blocked = await get(upstream, path).then(
          () => false,
          (error: unknown) => error instanceof EgressError && error.code === 'blocked',
        );
        expect(seen).toEqual(blocked ? [] : [path]);
        expect(new URL(blocked ? '/' : path, upstream.origin).origin).toBe(upstream.origin);
      }),
      { numRuns: 500 },
    );
  });

  it('lets an encoded name of any characters through as one segment', async () => {
    const upstream = await serve((request, response) => response.end(request.url));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), async (name) => {
        fc.pre(name !== '.' && name !== '..');
        const path = `/api/resource/HD%20Ticket/${encodeURIComponent(name)}`;
        expect((await get(upstream, path)).text).toBe(path);
      }),
      { numRuns: 100 },
    );
  });
});

describe('an upstream', () => {
  it('must be https unless insecure ones are allowed', async () => {
    const strict = createEgress({ allowInsecure: false });
    closers.push(() => strict.close());
    expect(() => strict.upstream('http://helpdesk.example')).toThrow('must use https');
    expect(strict.upstream('https://helpdesk.example').origin).toBe('https://helpdesk.example');
  });

  it.each([
    'helpdesk.example',
    'https://helpdesk.example/',
    `https://helpdesk.example/rest/1/${secret}`,
    `https://user:${secret}@helpdesk.example`,
    'HTTPS://helpdesk.example',
    'file:///etc/passwd',
    'ftp://helpdesk.example',
    '',
  ])('is an exact origin: %j is refused, without quoting it', (origin) => {
    const egress = createEgress({ allowInsecure: true });
    closers.push(() => egress.close());
    let error: unknown;
    try {
      egress.upstream(origin);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'blocked' });
    expect(inspect(error)).not.toContain(secret);
  });
});
