import type { PageAnchors } from '@deskside/shared/page-anchors';
import { expect, test, vi } from 'vitest';
import { createPageAnchors } from './page-anchors.ts';

const proxy = 'https://proxy.example';
const anchors = { ticket_column: ['#sidebar'] };

function setUp(published?: PageAnchors) {
  const state = { stored: null as unknown, proxy: proxy as string | null };
  const changed = vi.fn();
  const discovery = { name: 'deskside', version: '1.0.0', helpdesk_url: 'https://help.example', oauth_client_ids: {} };
  const fetch = vi.fn(async () =>
    Response.json({ success: true, data: { ...discovery, page_anchors: published }, message: 'Deskside.' }),
  );
  const kept = createPageAnchors({
    store: {
      read: async () => state.stored,
      write: async (value) => {
        state.stored = value;
      },
    },
    proxy: async () => state.proxy,
    changed,
    fetch,
  });
  return { kept, state, changed, fetch };
}

test('what the proxy names is kept, told of when it is other than before, and gone when it names none any more', async () => {
  const { kept, changed } = setUp();
  expect(await kept.known()).toEqual({});
  await kept.learn(proxy, anchors);
  await kept.learn(proxy, anchors);
  expect(await kept.known()).toEqual(anchors);
  await kept.learn(proxy, undefined);
  expect(await kept.known()).toEqual({});
  expect(changed.mock.calls).toEqual([[anchors], [{}]]);
});

test('it can be asked for', async () => {
  const { kept, changed } = setUp(anchors);
  await kept.ask();
  expect(await kept.known()).toEqual(anchors);
  expect(changed).toHaveBeenCalledTimes(1);
});

test('another proxy’s are never used', async () => {
  const { kept, state } = setUp();
  await kept.learn(proxy, anchors);
  state.proxy = 'https://other.example';
  expect(await kept.known()).toEqual({});
  await kept.learn(proxy, { app_frame: ['#x'] });
  state.proxy = null;
  await kept.ask();
  expect(await kept.known()).toEqual({});
});
