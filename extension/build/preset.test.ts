import { expect, test } from 'vitest';
import { readPreset } from './preset.ts';

const names: Record<string, string[]> = {
  'helpdesk.test': ['127.0.0.1', '::1'],
  'half.test': ['127.0.0.1', '192.0.2.7'],
  'elsewhere.example': ['192.0.2.7'],
};
const resolve = async (host: string) => {
  if (!names[host]) throw new Error('ENOTFOUND');
  return names[host].map((address) => ({ address }));
};
const read = (env: Record<string, string>) => readPreset(env, resolve);

test('without variables nothing is built in', async () => {
  expect(await read({ HELPDESK_ORIGIN: ' ' })).toEqual({ helpdesk: null, proxy: null, insecureHosts: [] });
});

test('origins are accepted with or without a trailing slash, and http on loopback', async () => {
  expect(await read({ HELPDESK_ORIGIN: 'https://help.example/', PROXY_ORIGIN: 'http://127.0.0.1:8787' })).toMatchObject(
    { helpdesk: 'https://help.example', proxy: 'http://127.0.0.1:8787' },
  );
});

test.each(['help.example', 'http://help.example', 'https://help.example/helpdesk', 'ftp://help.example', 'nonsense'])(
  '%s stops the build with the name of the variable and what would be right',
  (value) => expect(read({ PROXY_ORIGIN: value })).rejects.toThrow(/PROXY_ORIGIN.*expected an origin/),
);

test('a password in an address is not printed', () =>
  expect(read({ PROXY_ORIGIN: 'https://me:hunter2@proxy.example' })).rejects.toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
  ));

test('a name that leads to this machine may be http where the build says so', async () => {
  expect(
    await read({ INSECURE_HTTP_HOSTS: 'Helpdesk.test', HELPDESK_ORIGIN: 'http://helpdesk.test:8001' }),
  ).toMatchObject({ helpdesk: 'http://helpdesk.test:8001', insecureHosts: ['helpdesk.test'] });
  await expect(read({ HELPDESK_ORIGIN: 'http://helpdesk.test:8001' })).rejects.toThrow(/HELPDESK_ORIGIN/);
});

test.each(['elsewhere.example', 'half.test', 'nobody.test', 'http://helpdesk.test', '*', '10.0.0.5'])(
  '%s is not this machine, and may not be http',
  (host) => expect(read({ INSECURE_HTTP_HOSTS: host })).rejects.toThrow(/INSECURE_HTTP_HOSTS.*not this machine/),
);
