// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { hasDraft, lastMessageFrom } from './reply.ts';

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

const mail = (id: string, from: string, srcdoc: string) =>
  `<div id="communication-${id}"><span>&lt;${from}&gt;</span><iframe srcdoc="${srcdoc}"></iframe></div>`;

test('the last message from an address is read without what it quotes; from another there is none', () => {
  const mails = [
    mail('1', 'Lan@shop.example', ''),
    mail('2', 'lan@shop.example', ''),
    mail('3', 'an@desk.example', ''),
  ];
  document.body.innerHTML = `<div id="app">${mails.join('')}</div>`;
  for (const [nth, frame] of document.querySelectorAll('iframe').entries()) {
    const shown = document.implementation.createHTMLDocument();
    shown.body.innerHTML = `<p>Message ${nth + 1}</p><blockquote>quoted</blockquote>`;
    Object.defineProperty(frame, 'contentDocument', { value: shown });
  }
  expect(lastMessageFrom('lan@SHOP.example')).toBe('Message 2');
  expect(lastMessageFrom('binh@shop.example')).toBeNull();
});
