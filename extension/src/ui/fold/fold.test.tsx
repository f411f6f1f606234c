// @vitest-environment happy-dom
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Fold, FoldsContext } from './fold.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const remember = vi.fn();
let root: ReturnType<typeof createRoot>;

const show = (children: ReactNode, remembered: Record<string, boolean> = {}) =>
  act(async () => root.render(<FoldsContext value={{ remembered, remember }}>{children}</FoldsContext>));
const isOpen = () => document.querySelector('button')?.getAttribute('aria-expanded') === 'true';
const toggle = () => act(async () => document.querySelector('button')?.click());

beforeEach(() => {
  document.body.innerHTML = '<div></div>';
  root = createRoot(document.querySelector('div') as HTMLElement);
  vi.clearAllMocks();
});
afterEach(() => act(async () => root.unmount()));

test('a section is as the agent left it, and every click of theirs is remembered under its id', async () => {
  await show(
    <Fold id="dates" title="Dates">
      Text
    </Fold>,
    { dates: true },
  );
  expect(isOpen()).toBe(true);
  await toggle();
  expect(isOpen()).toBe(false);
  await toggle();
  expect(remember.mock.calls).toEqual([
    ['dates', false],
    ['dates', true],
  ]);
});

test('one without an id opens and folds, and is not remembered', async () => {
  await show(<Fold title="Decision of Monday">Text</Fold>, { undefined: true });
  expect(isOpen()).toBe(false);
  await toggle();
  expect(isOpen()).toBe(true);
  expect(remember).not.toHaveBeenCalled();
});

test('something new opens it, once, and that is no choice of the agent', async () => {
  const bringNews = async () => {
    for (const isNew of [false, true])
      await show(
        <Fold id="dates" title="Dates" open={isNew}>
          Text
        </Fold>,
        { dates: false },
      );
  };
  await bringNews();
  expect([isOpen(), remember.mock.calls.length]).toEqual([true, 0]);
  await toggle();
  expect(isOpen()).toBe(false);
  await bringNews();
  expect(isOpen()).toBe(true);
});
