// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkClick } from './check-click.ts';

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

test('a real click on a visible button is genuine', () => {
  expect(checkClick(own, button)).toBe('genuine');
});

test('a scripted click is not', () => {
  expect(checkClick({ isTrusted: false }, button)).toBe('scripted');
});

test('a click on a button that is covered or outside the window is not', () => {
  hit = document.body;
  expect(checkClick(own, button)).toBe('covered');
  hit = null;
  expect(checkClick(own, button)).toBe('covered');
});

test('a click on a transparent page is not', () => {
  document.body.style.opacity = '0.01';
  expect(checkClick(own, button)).toBe('covered');
  document.body.style.opacity = '';
  document.documentElement.style.opacity = '0';
  expect(checkClick(own, button)).toBe('covered');
});
