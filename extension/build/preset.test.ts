import { expect, test } from 'vitest';
import { readPreset } from './preset.ts';

test('without variables nothing is built in', () => {
  expect(readPreset({ HELPDESK_ORIGIN: ' ' })).toEqual({ helpdesk: null, proxy: null });
});

test('origins are accepted with or without a trailing slash, and http on loopback', () => {
  expect(readPreset({ HELPDESK_ORIGIN: 'https://help.example/', PROXY_ORIGIN: 'http://127.0.0.1:8787' })).toEqual({
    helpdesk: 'https://help.example',
    proxy: 'http://127.0.0.1:8787',
  });
});

test.each(['help.example', 'http://help.example', 'https://help.example/helpdesk', 'ftp://help.example', 'nonsense'])(
  '%s stops the build with the name of the variable and what would be right',
  (value) => expect(() => readPreset({ PROXY_ORIGIN: value })).toThrow(/PROXY_ORIGIN.*expected an origin/),
);

test('a password in an address is not printed', () => {
  expect(() => readPreset({ PROXY_ORIGIN: 'https://me:hunter2@proxy.example' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
  );
});
