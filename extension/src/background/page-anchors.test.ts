import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { answerFetch, installExtension, yes } from '#testing/fake-extension.ts';
import { discovery, proxy } from '#testing/sample-connection.ts';
import { createPageAnchors } from './page-anchors.ts';

const selectors = { ticket_header: ['.head'] };
const changed = vi.fn();
beforeEach(async () => {
  await installExtension();
  changed.mockReset();
});

test('what a proxy names is told of once, and that of another than the one that is set not at all', async () => {
  const anchors = createPageAnchors(changed);
  await anchors.learn('https://other.example', selectors);
  expect([await anchors.known(), changed.mock.calls]).toEqual([{}, []]);
  await anchors.learn(proxy, selectors);
  await anchors.learn('https://other.example', {});
  await anchors.learn(proxy, selectors);
  expect([await anchors.known(), changed.mock.calls]).toEqual([selectors, [[selectors]]]);
});

test('without a proxy nobody is asked, and one that does not answer changes nothing', async () => {
  const anchors = createPageAnchors(changed);
  const path = '/.well-known/deskside';
  const sent = answerFetch({ [path]: () => yes({ ...discovery, page_anchors: selectors }) });
  await anchors.ask();
  answerFetch({});
  await anchors.ask();
  expect([await anchors.known(), sent.length]).toEqual([selectors, 1]);
  await fakeBrowser.storage.local.set({ settings: { helpdesk: null, proxy: null } });
  const none = answerFetch({});
  await anchors.ask();
  expect(none).toEqual([]);
});
