// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { textsFor } from './texts/texts.ts';
import { usePageBehind } from './use-page-behind.ts';

const { shell, steps } = textsFor('en');
let root: ReturnType<typeof createRoot>;
let changed: () => void;
let shown: { customer: string | null | undefined; draft: boolean };
let step: ReturnType<typeof usePageBehind>;
vi.mock('#host-page/anchors.ts', () => ({ readCustomer: () => shown.customer }));
vi.mock('#host-page/reply.ts', () => ({ hasDraft: () => shown.draft }));
vi.mock('#host-page/watch-page.ts', () => ({
  watchPage(callback: () => void) {
    changed = callback;
    return () => {};
  },
}));

function Probe({ written }: { written: string | null | undefined }) {
  step = usePageBehind(written);
  return null;
}
async function write(written: string | null | undefined) {
  await act(async () => root.render(<Probe written={written} />));
  await act(() => vi.advanceTimersByTimeAsync(2_000));
}
async function pageShows(next: Partial<typeof shown>) {
  shown = { ...shown, ...next };
  await act(async () => changed());
}

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  document.body.innerHTML = '<div></div>';
  root = createRoot(document.body.firstElementChild as Element);
  shown = { customer: 'Cũ', draft: false };
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.useRealTimers();
});

test('a page that still shows the former customer is told on, until it shows the new one', async () => {
  await write('Mới');
  expect(step).toMatchObject({ sentence: steps.pageBehind, action: { label: shell.reload } });
  await pageShows({ customer: 'Mới' });
  expect(step).toBeNull();
});

test('while somebody is writing no reload is offered, which would lose it', async () => {
  shown.draft = true;
  await write('Mới');
  expect(step?.sentence).toContain(steps.reloadLater);
  expect(step?.action).toBeNull();
  await pageShows({ draft: false });
  expect(step?.action).not.toBeNull();
});

test.each([null, 'Mới'])(
  'a page whose customer cannot be read is not taken for an old one (written: %s)',
  async (written) => {
    shown.customer = undefined;
    await write(written);
    expect(step).toBeNull();
  },
);

test('nothing is said before a write, nor where the page has taken it up', async () => {
  await write(undefined);
  expect(step).toBeNull();
  shown.customer = null;
  await write(null);
  expect(step).toBeNull();
});
