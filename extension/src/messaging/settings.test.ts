import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { anyUrl } from '../../../testing/any-url.ts';
import { isAddress, parseAddress } from './settings.ts';

test.each([
  ['https://help.example', 'https://help.example'],
  ['  help.example ', 'https://help.example'],
  ['https://help.example/helpdesk/tickets/12?view=x#y', 'https://help.example'],
  ['help.example/helpdesk', 'https://help.example'],
  ['help.example/login?to=https://other.example/', 'https://help.example'],
  ['HTTPS://Help.Example:443/', 'https://help.example'],
  ['help.example:8443', 'https://help.example:8443'],
  ['127.0.0.1:8000/helpdesk', 'http://127.0.0.1:8000'],
  ['localhost:8787', 'http://localhost:8787'],
  ['http://localhost', 'http://localhost'],
  ['hỗtrợ.example', 'https://xn--htr-ymzuc.example'],
])('%j is parsed as %s', (typed, origin) => {
  expect(parseAddress(typed)).toEqual({ ok: true, origin });
});

test.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['http://help.example', 'insecure'],
  ['http://127.0.0.1.evil.example', 'insecure'],
  ['http://localhost.evil.example', 'insecure'],
  ['http://10.0.0.5', 'insecure'],
  ['ftp://help.example', 'other_scheme'],
  ['chrome-extension://abc', 'other_scheme'],
  ['javascript:alert(1)', 'not_an_address'],
  ['my helpdesk', 'not_an_address'],
  ['https://', 'not_an_address'],
  ['https://*.example', 'not_an_address'],
  ['user:secret@help.example', 'credentials'],
  ['https://help.example@evil.example', 'credentials'],
])('%j is refused as %s', (typed, problem) => {
  expect(parseAddress(typed)).toEqual({ ok: false, problem });
});

test('a host with characters that none can have is no address in Chromium either, which escapes them', () => {
  class ChromiumUrl extends URL {
    static override canParse = () => true;
    constructor(text: string) {
      super(text.replaceAll(' ', '--'));
    }
    override get hostname() {
      return super.hostname.replaceAll('--', '%20');
    }
  }
  vi.stubGlobal('URL', ChromiumUrl);
  const parsed = parseAddress('my helpdesk');
  vi.unstubAllGlobals();
  expect(parsed).toEqual({ ok: false, problem: 'not_an_address' });
});

test('whatever is typed, an accepted address is an origin, stable when read again, and https outside of loopback', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), anyUrl, fc.domain()), (typed) => {
      const parsed = parseAddress(typed);
      if (!parsed.ok) return;
      const url = new URL(parsed.origin);
      expect(url.origin).toBe(parsed.origin);
      expect(isAddress(parsed.origin)).toBe(true);
      expect(url.protocol === 'https:' || ['127.0.0.1', 'localhost'].includes(url.hostname)).toBe(true);
    }),
  );
});
