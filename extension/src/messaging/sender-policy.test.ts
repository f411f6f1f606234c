import { expect, test } from 'vitest';
import { checkContentScript, checkPage, type ExtensionInfo, type Sender } from './server.ts';

const own: ExtensionInfo = {
  id: 'ext',
  pages: 'chrome-extension://ext/',
  helpdesk: 'https://help.example',
  withheld: null,
};
const ticketPage = 'https://help.example/helpdesk/tickets/2';
const script: Sender = {
  id: 'ext',
  url: ticketPage,
  origin: 'https://help.example',
  frameId: 0,
  tab: { id: 7, url: ticketPage },
};
const page: Sender = {
  id: 'ext',
  url: 'chrome-extension://ext/options.html',
  origin: 'chrome-extension://ext',
  frameId: 0,
  tab: { id: 8, url: 'chrome-extension://ext/options.html' },
};

test('the launcher on a helpdesk page is accepted, with the address that the browser reports', () => {
  expect(checkContentScript(script, own)).toEqual({ tabId: 7, tabUrl: ticketPage });
  expect(checkContentScript({ ...script, origin: undefined }, own)).not.toBeNull();
});

test.each<[string, Sender, Partial<ExtensionInfo>]>([
  ['nothing known', {}, {}],
  ['another extension', { ...script, id: 'other' }, {}],
  ['no extension', { ...script, id: undefined }, {}],
  ['no tab', { ...script, tab: undefined }, {}],
  ['a tab without id', { ...script, tab: { url: ticketPage } }, {}],
  ['a frame', { ...script, frameId: 3 }, {}],
  ['no frame', { ...script, frameId: undefined }, {}],
  ['another site', { ...script, origin: 'https://evil.example' }, {}],
  ['a longer host', { ...script, origin: 'https://help.example.evil.example' }, {}],
  ['another port', { ...script, origin: 'https://help.example:8443' }, {}],
  ['another scheme', { ...script, origin: 'http://help.example' }, {}],
  ['an opaque origin', { ...script, origin: 'null' }, {}],
  ['another site without origin', { ...script, origin: undefined, url: 'https://evil.example/' }, {}],
  ['no origin and no address', { ...script, origin: undefined, url: undefined }, {}],
  ['an own page', page, {}],
  ['no helpdesk granted', script, { helpdesk: null }],
])('as a content script, %s is refused', (_, sender, change) => {
  expect(checkContentScript(sender, { ...own, ...change })).toBeNull();
});

test('the options page is accepted, in a tab or not', () => {
  expect(checkPage(page, own)).toBe(true);
  expect(checkPage({ ...page, tab: undefined, origin: undefined }, own)).toBe(true);
});

test.each<[string, Sender]>([
  ['nothing known', {}],
  ['another extension', { ...page, id: 'other' }],
  ['a content script', script],
  ['a content script of a look-alike address', { ...script, url: 'https://help.example/chrome-extension://ext/' }],
  ['a page of an extension with a longer id', { ...page, url: 'chrome-extension://extra/options.html' }],
  ['a site that names our address', { ...page, origin: 'https://help.example' }],
])('as an own page, %s is refused', (_, sender) => {
  expect(checkPage(sender, own)).toBe(false);
});
