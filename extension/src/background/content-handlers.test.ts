import { expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { changeLayout, readLayout } from './content-handlers.ts';

const an = 'an@help.example';
const binh = 'binh@help.example';

test("each agent has a layout of their own; what is not changed stays, and nobody's is never kept", async () => {
  await Promise.all([
    changeLayout(an, { open: true }),
    changeLayout(binh, { face: 'ticket' }),
    changeLayout(an, { face: 'customer' }),
    changeLayout('', { open: true }),
  ]);
  expect(await readLayout(an)).toEqual({ open: true, face: 'customer' });
  expect(await readLayout(binh)).toEqual({ open: false, face: 'ticket' });
  expect(await readLayout('')).toEqual({ open: false });
});

test('an unusable entry counts as none and costs no other', async () => {
  await changeLayout(binh, { open: true });
  const { panelLayouts } = await fakeBrowser.storage.local.get('panelLayouts');
  await fakeBrowser.storage.local.set({ panelLayouts: { ...(panelLayouts as object), [an]: { open: 'wide' } } });
  expect(await readLayout(an)).toEqual({ open: false });
  expect((await readLayout(binh)).open).toBe(true);
  await fakeBrowser.storage.local.set({ panelLayouts: 'broken' });
  expect(await readLayout(binh)).toEqual({ open: false });
});

test('twenty agents are remembered, those who changed something last', async () => {
  for (let nth = 0; nth <= 20; nth += 1) await changeLayout(`agent-${nth}`, { open: true });
  await changeLayout('agent-1', { face: 'ticket' });
  await changeLayout('agent-21', { open: true });
  const open = async (nth: number) => (await readLayout(`agent-${nth}`)).open;
  expect([await open(0), await open(1), await open(2), await open(3)]).toEqual([false, true, false, true]);
});
