// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { hasDraft } from './reply.ts';

test('words in an open editor are a draft, an empty editor is none', () => {
  document.body.innerHTML = '<div id="app"><div contenteditable="true"><p> </p></div></div>';
  expect(hasDraft()).toBe(false);
  document.body.innerHTML = '<div id="app"><div contenteditable="true"><p>Chào anh</p></div></div>';
  expect(hasDraft()).toBe(true);
});

test('what lies outside the app is no reply', () => {
  document.body.innerHTML = '<div id="app"></div><div contenteditable="true"><p>a dialog</p></div>';
  expect(hasDraft()).toBe(false);
});
