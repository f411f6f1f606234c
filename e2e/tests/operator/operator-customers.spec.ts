import { operatorTexts } from '@deskside/operator/texts';
import { makeSeedInUse } from '@deskside/simulators/seed/in-use';
import { demo } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import type { World } from '../../demo/world.ts';
import { axeViolations } from '../setup/axe.ts';
import { keepPicture } from '../setup/looks.ts';
import { expect, newPage, signIn, test } from './operator-fixtures.ts';

const seed = makeSeedInUse({ seed: 5, customers: 24 });
test.use({ seed });

/** What is on screen: axe finds nothing in it, and it is no wider than the screen. */
async function expectSound(page: Page, name: string): Promise<void> {
  const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(tooWide, `${name} is as wide as the screen`).toBeLessThanOrEqual(0);
  expect(await axeViolations(page), name).toEqual([]);
  await keepPicture({ page }, `operator-${name}`, { fullPage: true });
}

const orgIdOf = ({ helpdesk }: World, name: string) =>
  helpdesk.document('HD Customer', name)?.custom_platform_orgid ?? null;

test('customers made by hand: nobody has looked, looking, accepted at once and one by one, and taken back', async ({
  browser,
  world,
}) => {
  const { customers: en, frame } = operatorTexts('en');
  const page = await newPage(browser);
  await signIn(page, world, demo.admin.name);
  await page.getByRole('link', { name: frame.pages.customers }).click();
  await expect(page.getByText(en.look.never)).toBeVisible();
  await expectSound(page, 'customers-never');

  // Half-way, which is over too soon here to be looked at.
  const run = { begun_at: '2026-11-20T05:00:00.000Z', is_done: false, done: 640, total: 2_000, failed: 3 };
  const half = { has_crm: true, run, matches: [], accepted: [] };
  const answer = { success: true, data: half, message: 'Done.' };
  await page.route('**/operator/api/customers', (route) => route.fulfill({ json: answer }));
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expectSound(page, 'customers-looking');
  await page.unroute('**/operator/api/customers');
  await page.getByRole('button', { name: en.look.begin }).click();
  const certain = page.getByRole('region', { name: en.verdicts.certain.title });
  await expect(page.getByRole('button', { name: en.look.again })).toBeVisible();
  await expect(certain.getByRole('listitem').first()).toBeVisible();
  await expectSound(page, 'customers-light');

  const all = page.getByRole('button', { name: /^Accept (all|the one)/ });
  const name = (await certain.getByRole('heading', { level: 3 }).first().textContent()) ?? '';
  expect(orgIdOf(world, name)).toBeNull();
  await all.click();
  const accepted = page.getByRole('region', { name: en.accepted.title });
  await expect(accepted.getByRole('button', { name: en.accepted.undoOf(name) })).toBeVisible();
  await expect(certain.getByText(en.none)).toBeVisible();
  expect(orgIdOf(world, name)).not.toBeNull();
  await expectSound(page, 'customers-accepted');

  const likely = page.getByRole('region', { name: en.verdicts.likely.title });
  const accept = likely.getByRole('button', { name: /^Accept: / }).first();
  const label = (await accept.getAttribute('aria-label')) ?? '';
  const one = label.slice('Accept: '.length, label.indexOf(' is '));
  await accept.click();
  await accepted.getByRole('button', { name: en.accepted.undoOf(one) }).click();
  await expect(accepted.getByRole('button', { name: en.accepted.undoOf(one) })).toHaveCount(0);
  await accepted.getByRole('button', { name: en.undoBatch }).click();
  await expect(accepted.getByText(en.accepted.none)).toBeVisible();
  expect([orgIdOf(world, one), orgIdOf(world, name)]).toEqual([null, null]);

  // Somebody has taken the company in the meantime.
  const { orgId } = Object.values(seed.truth).find((truth) => truth.orgId && truth.kind === 'plain') ?? {};
  const [ofIt] = Object.entries(seed.truth).find(([, truth]) => truth.orgId === orgId) ?? [''];
  world.helpdesk.put('HD Customer', { name: 'Người khác', custom_platform_orgid: orgId });
  await page.locator(`[aria-label^=${JSON.stringify(`Accept: ${ofIt} is `)}]`).click();
  await expect(page.getByText(en.outcome.company_has_customer)).toBeVisible();
});

test('an Agent Manager sees what was found and accepts nothing; in the dark, in Vietnamese, on a phone', async ({
  browser,
  world,
}) => {
  const { customers: vi, frame } = operatorTexts('vi');
  const admin = await newPage(browser);
  await signIn(admin, world, demo.admin.name);
  await admin.getByRole('link', { name: operatorTexts('en').frame.pages.customers }).click();
  await admin.getByRole('button', { name: operatorTexts('en').customers.look.begin }).click();
  await expect(admin.getByRole('button', { name: operatorTexts('en').customers.look.again })).toBeVisible();

  const page = await newPage(browser, { language: 'vi', theme: 'dark' });
  await signIn(page, world, demo.manager.name);
  await page.getByLabel(/Language|Ngôn ngữ/).selectOption('vi');
  await page.getByRole('link', { name: frame.pages.customers }).click();
  await expect(page.getByText(vi.mayNot)).toBeVisible();
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: new RegExp(`^${vi.accept}`) })).toHaveCount(0);
  await expect(page.getByRole('button', { name: vi.look.again })).toHaveCount(0);
  await expectSound(page, 'customers-dark-vi');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page, 'customers-phone-dark-vi');
});
