import { shops } from '@deskside/simulators/seed/index';

/** Where a shop's tickets belong by what the CRM knows of it. */
export function teamOf(orgId: string): string {
  const shop = shops.find((one) => one.orgId === orgId);
  if (shop?.segment !== '15092') return 'CS 60p';
  if (/scale/i.test(shop.plan)) return 'Medium - Scale';
  return /grow/i.test(shop.plan) ? 'Medium - Grow' : 'CS 60p';
}
