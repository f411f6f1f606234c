import { expect, test } from 'vitest';
import { findHelpdesk } from '#background/page-handlers.ts';

const proxy = 'https://proxy.example';

/** A proxy that says it serves the helpdesk at this address. */
function serving(helpdesk_url: string): typeof fetch {
  const data = { name: 'deskside', version: '1', helpdesk_url, oauth_client_ids: {} };
  return async () => Response.json({ success: true, data, message: '' });
}

test('the helpdesk is the one that the proxy names, as an origin', async () => {
  expect(await findHelpdesk(proxy, serving('https://help.example/helpdesk'))).toEqual({
    ok: true,
    proxy,
    helpdesk: 'https://help.example',
  });
});

test.each(['http://help.example', 'javascript:alert(1)', 'https://user:secret@help.example', ''])(
  'a proxy that names the helpdesk %j is not followed there',
  async (url) => expect(await findHelpdesk(proxy, serving(url))).toEqual({ ok: false, code: 'bad_helpdesk' }),
);

test('a server that answers with something else is told apart from one that does not answer', async () => {
  const page: typeof fetch = async () => new Response('<html>');
  expect(await findHelpdesk(proxy, page)).toEqual({ ok: false, code: 'bad_answer' });
  const unreadable: typeof fetch = async (_, init) => {
    if (init?.mode !== 'no-cors') throw new TypeError('Failed to fetch');
    return new Response();
  };
  expect(await findHelpdesk(proxy, unreadable)).toEqual({ ok: false, code: 'bad_answer' });
  const nobody: typeof fetch = async () => {
    throw new TypeError('Failed to fetch');
  };
  expect(await findHelpdesk(proxy, nobody)).toEqual({ ok: false, code: 'unreachable' });
});
