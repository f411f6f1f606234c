import { readFileSync } from 'node:fs';

/**
 * A shop of the invented world, before any system has turned it into records of its own. Everything is made up: names,
 * people, `.example` addresses and the telephone block 0900 000 xxx.
 */
export interface Shop {
  /** Company id in the CRM. */
  crmId: string;
  /** Platform org id, also called Company ID. */
  orgId: string;
  name: string;
  /** Host label of its addresses: `<slug>.example`, `<slug>.myplatform.example`. */
  slug: string;
  ownerFamily: string;
  ownerGiven: string;
  city: string;
  plan: string;
  /** Days until the plan ends; null where it has no end. */
  daysLeft: number | null;
  hsi: string;
  hsiDetail: string;
  /** Item id of the CRM's segment list: 15090 SME, 15092 Medium, 15094 Enterprise. */
  segment: string;
  /** CRM user id of the account owner. */
  assigned: string;
}

const [header = '', ...rows] = readFileSync(new URL('shops.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

export const shops: readonly Shop[] = rows.map((row) => {
  const cells = cellsOf(row);
  const shop = Object.fromEntries(cellsOf(header).map((name, at) => [name, cells[at] ?? '']));
  return { ...shop, daysLeft: shop.daysLeft === 'null' ? null : Number(shop.daysLeft) } as Shop;
});

function cellsOf(row: string): string[] {
  return row.split('|').map((cell) => cell.trim());
}

/** The shop with this org id; throws for one that does not exist, since the seed names only its own. */
export function shopOf(orgId: string): Shop {
  const shop = shops.find((s) => s.orgId === orgId);
  if (!shop) throw new Error(`The seed has no shop with org id ${orgId}.`);
  return shop;
}

/** The owner's and the shop's addresses and telephone numbers, all derived from the shop. */
export function reachOf({ crmId, slug }: Shop) {
  const tail = crmId.slice(-3);
  return {
    ownerEmail: `owner@${slug}.example`,
    ownerPhone: `0900000${tail}`,
    shopEmail: `shop@${slug}.example`,
    shopPhone: `+84900000${tail}`,
    staffEmail: `nhanvien@${slug}.example`,
    web: `https://${slug}.example`,
    platformDomain: `${slug}.myplatform.example`,
  };
}
