// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { judgeClick } from './judge-click.ts';

let host: HTMLElement;
let button: HTMLElement;
let hit: Element | null;
const own = { isTrusted: true };

beforeEach(() => {
  host = document.createElement('div');
  button = host.attachShadow({ mode: 'closed' }).appendChild(document.createElement('button'));
  document.documentElement.append(host);
  hit = host;
  document.elementFromPoint = () => hit;
});
afterEach(() => {
  host.remove();
  document.body.style.opacity = '';
  document.documentElement.style.opacity = '';
});

test('a click by hand on a button that is seen counts', () => {
  expect(judgeClick(own, button)).toBe('own');
});

test('a click that a script made does not', () => {
  expect(judgeClick({ isTrusted: false }, button)).toBe('scripted');
});

test('with something of the page over the button, or the button outside of the window, it does not', () => {
  hit = document.body;
  expect(judgeClick(own, button)).toBe('covered');
  hit = null;
  expect(judgeClick(own, button)).toBe('covered');
});

test('on a page that is faded out it does not', () => {
  document.body.style.opacity = '0.01';
  expect(judgeClick(own, button)).toBe('covered');
  document.body.style.opacity = '';
  document.documentElement.style.opacity = '0';
  expect(judgeClick(own, button)).toBe('covered');
});
