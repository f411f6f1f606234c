import { expect, test } from 'vitest';
import { isPublicOrigin } from './public-origin.ts';

const to = (...addresses: string[]) => ({
  of: (address: string) => isPublicOrigin(address, new AbortController().signal, async () => addresses),
});

test.each(['https://crm.example.com/rest/1/x/', 'https://portal.bitrix24.vn/rest/57/abc/'])(
  '%s is public where each of its addresses is',
  async (address) => {
    expect(await to('93.184.216.34', '2606:2800:220:1::1').of(address)).toBe(true);
    for (const inside of ['10.0.0.7', '127.0.0.1', '169.254.169.254', 'fd00::1', '::ffff:192.168.0.1'])
      expect(await to('93.184.216.34', inside).of(address), inside).toBe(false);
    expect(await to().of(address)).toBe(false);
  },
);

test.each([
  'http://crm.example.com/',
  'https://crm.example.com:8443/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://2130706433/',
  'https://localhost/',
  'https://crm.internal/',
  'https://crm/',
  'https://user@crm.example.com/',
])('%s is not, whatever its name leads to', async (address) => {
  expect(await to('93.184.216.34').of(address)).toBe(false);
});
