// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { armingMs, checkClick } from './check-click.ts';

let host: HTMLElement;
let button: HTMLElement;
let hit: Element | null;
const own = { isTrusted: true, detail: 1 };
/** Long in its place. */
const still = 60_000;

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
  expect(checkClick(own, button, null, still)).toBe('genuine');
  expect(checkClick(own, button, true, still)).toBe('genuine');
});

test('a click on a button that the browser does not see in full view is not, whatever takes the click', () => {
  expect(checkClick(own, button, false, still)).toBe('covered');
});

test('the keyboard needs no view of the button', () => {
  hit = document.body;
  expect(checkClick({ isTrusted: true, detail: 0 }, button, false, still)).toBe('genuine');
  expect(checkClick({ isTrusted: false, detail: 0 }, button, true, still)).toBe('scripted');
});

test('a scripted click is not', () => {
  expect(checkClick({ isTrusted: false, detail: 1 }, button, true, still)).toBe('scripted');
});

test('where the browser cannot tell, a click on a button that is covered or outside the window is not', () => {
  hit = document.body;
  expect(checkClick(own, button, null, still)).toBe('covered');
  hit = null;
  expect(checkClick(own, button, null, still)).toBe('covered');
});

test('a click on a transparent page is not; where the browser judges, its word counts', () => {
  document.body.style.opacity = '0.01';
  expect(checkClick(own, button, null, still)).toBe('covered');
  document.body.style.opacity = '';
  expect(checkClick(own, button, true, still)).toBe('genuine');
  document.documentElement.style.opacity = '0';
  expect(checkClick(own, button, null, still)).toBe('covered');
});

test('a click on a button that has just been moved under the pointer is not; the keyboard does not mind', () => {
  expect(checkClick(own, button, true, armingMs - 1)).toBe('covered');
  expect(checkClick(own, button, true, armingMs)).toBe('genuine');
  expect(checkClick({ isTrusted: true, detail: 0 }, button, true, 0)).toBe('genuine');
});
