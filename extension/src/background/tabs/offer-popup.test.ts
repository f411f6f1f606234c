import { expect, test } from 'vitest';
import { createPopupOffer } from './ticket-tabs.ts';

const ticket = 'https://help.example/helpdesk/tickets/2';
const list = 'https://help.example/helpdesk/tickets';

function setUp(helpdesk: string | null, tabs: { id?: number; url?: string }[] = []) {
  const shown = new Map<number, boolean>();
  const offer = createPopupOffer({
    helpdesk: async () => helpdesk,
    setPopup: async (tabId, isShown) => void shown.set(tabId, isShown),
    openTabs: async () => tabs,
  });
  return { offer, shown };
}

test('in a tab with a ticket the click is for the panel, as long as it shows one', async () => {
  const { offer, shown } = setUp('https://help.example');
  await offer.inTab({ id: 3, url: ticket });
  expect(shown).toEqual(new Map([[3, false]]));
  await offer.inTab({ id: 3, url: list });
  expect(shown).toEqual(new Map([[3, true]]));
});

test("a ticket of another site's, a tab whose address is unknown and a closed one keep the popup", async () => {
  const { offer, shown } = setUp('https://help.example');
  await offer.inTab({ id: 3, url: 'https://other.example/helpdesk/tickets/2' });
  await offer.inTab({ id: 4, url: undefined });
  await offer.inTab({ id: undefined, url: ticket });
  expect(shown).toEqual(new Map([[3, true]]));
});

test('after a change of permissions every open tab is looked at', async () => {
  const tabs = [{ id: 1, url: ticket }, { id: 2, url: list }, { id: 3 }, {}];
  const allowed = setUp('https://help.example', tabs);
  await allowed.offer.inOpenTabs();
  expect(allowed.shown).toEqual(
    new Map([
      [1, false],
      [2, true],
      [3, true],
    ]),
  );
  const revoked = setUp(null, tabs);
  await revoked.offer.inOpenTabs();
  expect([...revoked.shown.values()]).toEqual([true, true, true]);
});
