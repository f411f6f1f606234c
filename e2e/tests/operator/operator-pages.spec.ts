import { operatorTexts } from '@deskside/operator/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import { expect, expectSound, fillDay, newPage, signIn, test } from './operator-fixtures.ts';

const en = operatorTexts('en');

/** How many charts have something drawn in a colour of the theme, which neither axes nor text have. */
const colouredCharts = (page: Page) =>
  page.locator('canvas').evaluateAll(
    (charts) =>
      charts.filter((chart) => {
        const { width, height } = chart as HTMLCanvasElement;
        const pixels = (chart as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
        for (let at = 0; at < pixels.length; at += 4) {
          const [red = 0, green = 0, blue = 0, alpha = 0] = [
            pixels[at],
            pixels[at + 1],
            pixels[at + 2],
            pixels[at + 3],
          ];
          if (alpha > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 40) return true;
        }
        return false;
      }).length,
  );

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('both pages before anything has happened, with a day’s tickets, and while the CRM fails', async ({
  browser,
  world,
}) => {
  const page = await newPage(browser);
  await signIn(page, world);
  await expect(page.getByText(en.today.tickets.none)).toBeVisible();
  await expect(page.getByRole('region', { name: en.today.health.title }).getByRole('listitem').first()).toBeVisible();
  await expectSound(page, 'today-empty');
  await page.getByRole('link', { name: en.frame.pages.routing }).click();
  await expect(heading(page, en.frame.pages.routing)).toBeFocused();
  // Teams, hours, and what failed.
  await expect(page.getByText(en.routing.none)).toHaveCount(3);
  await expectSound(page, 'routing-empty');

  const ticket = await fillDay(world);
  await page.reload();
  const form = page.getByRole('region', { name: en.routing.explain.title });
  await form.getByLabel(en.routing.explain.label).fill(ticket);
  await page.keyboard.press('Enter');
  await expect(form.getByText(en.routing.latest)).toBeVisible();
  await expect(page.getByRole('table', { name: 'CS 60p' })).toBeVisible();
  await expectSound(page, 'routing-light');
  await form.getByLabel(en.routing.explain.label).fill('no-such-ticket');
  await page.keyboard.press('Enter');
  await expect(form.getByText(en.routing.explain.none)).toBeVisible();

  await page.getByRole('link', { name: en.frame.pages.today }).click();
  await expect(page.getByText('999999999')).toBeVisible();
  await expect.poll(() => colouredCharts(page)).toBe(2);
  await expectSound(page, 'today-light');

  // An Agent Manager sees the settings and cannot change them.
  await page.getByRole('link', { name: en.frame.pages.settings }).click();
  await expect(page.getByText(en.settings.mayNot)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'CRM_WEBHOOK_URL' })).toContainText('••••');
  await expect(page.getByRole('button', { name: en.settings.change })).toHaveCount(0);
  await expectSound(page, 'settings-light');
  await page.getByRole('link', { name: en.frame.pages.today }).click();

  world.crm.fault = 'server_error';
  await world.helpdesk.insertTicket(demo.portal.name, { subject: 'x', custom_orgid: '200000404001' }, { portal: true });
  await world.helpdesk.webhooks.idle();
  await world.pipeline.processInbox();
  await world.idle();
  await page.reload();
  await expect(page.getByText(en.panel.routingInputs.crmError.server_error)).toBeVisible();
  await expectSound(page, 'today-broken-crm');
});

test('a broken CRM is told of at its settings, with what to do, until it is mended', async ({ browser, world }) => {
  const vi = operatorTexts('vi');
  const [problem = '', remedy = ''] = vi.today.health.said.crm_webhook_refused ?? [];
  world.crm.fault = 'unauthorized';
  const page = await newPage(browser, { language: 'vi', theme: 'dark', phone: true });
  await signIn(page, world, demo.admin.name);
  await page.getByLabel(/Language|Ngôn ngữ/).selectOption('vi');
  await page.getByRole('link', { name: vi.frame.pages.settings }).click();
  const crm = page.getByRole('region', { name: vi.settings.groups.crm });
  await expect(crm).toContainText(problem);
  await expect(crm).toContainText(remedy);
  await expectSound(page, 'settings-broken-crm-phone-dark-vi');

  world.crm.fault = null;
  await page.getByRole('button', { name: vi.settings.changeOf(vi.settings.name.CRM_TIMEOUT_SECONDS) }).click();
  await page.getByRole('textbox', { name: vi.settings.value }).fill('20');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('form').getByRole('status')).toContainText(vi.settings.done);
  await expect(crm).not.toContainText(problem);
});

/** A System Manager changes a setting: a wrong value is refused with the reason, a right one is kept. */
async function changeOne(page: Page, { frame, settings }: typeof en): Promise<void> {
  await page.getByRole('link', { name: frame.pages.settings }).click();
  const title = settings.name.CRM_TIMEOUT_SECONDS;
  await page.getByRole('button', { name: settings.changeOf(title) }).click();
  const field = page.getByRole('textbox', { name: settings.value });
  await expect(field).toBeFocused();
  await field.fill('soon');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText(settings.refused);
  const said = settings.said('value_unusable', { at: 'CRM_TIMEOUT_SECONDS' }, 'CRM_TIMEOUT_SECONDS') ?? '';
  await expect(page.getByRole('alert')).toContainText(said);
  await expectSound(page, 'settings-dark-vi');
  await field.fill('20');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('form').getByRole('status')).toContainText(settings.done);
  const trail = page.getByRole('region', { name: settings.audit.title });
  await expect(trail.getByRole('listitem').first()).toContainText(demo.admin.name);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page, 'settings-phone-dark-vi');
}

test('on a phone, in the dark and in Vietnamese; signed out meanwhile, and with nobody answering', async ({
  browser,
  world,
}) => {
  const ticket = await fillDay(world);
  const vi = operatorTexts('vi');
  const page = await newPage(browser, { language: 'vi', theme: 'dark', phone: true });
  await signIn(page, world, demo.admin.name);
  await page.getByLabel(/Language|Ngôn ngữ/).selectOption('vi');
  await expect(heading(page, vi.frame.pages.today)).toBeVisible();
  await expect(page.getByText('999999999')).toBeVisible();
  await expectSound(page, 'today-phone-dark-vi');
  await page.getByRole('link', { name: vi.frame.pages.routing }).click();
  await page.getByRole('textbox', { name: vi.routing.explain.label }).fill(ticket);
  await page.keyboard.press('Enter');
  await expect(page.getByText(vi.routing.latest)).toBeVisible();
  await expectSound(page, 'routing-phone-dark-vi');

  const wide = await page.context().newPage();
  await wide.setViewportSize({ width: 1280, height: 900 });
  await wide.goto(world.operatorUrl);
  await expect(wide.getByText('999999999')).toBeVisible();
  await expect(wide.getByText(vi.today.health.said.backup_old?.[0] ?? '')).toBeVisible();
  await expectSound(wide, 'today-dark-vi');

  await changeOne(wide, vi);

  // The proxy does not answer: what was there stays, with a word about it.
  await page.route('**/operator/api/decisions*', (route) => route.abort());
  await page.getByRole('button', { name: vi.routing.explain.show }).click();
  await expect(page.getByRole('alert')).toContainText(vi.frame.failure.unreachable.title);
  await expect(page.getByText(vi.routing.latest)).toBeVisible();
  await expectSound(page, 'routing-unreachable');

  // Signed out in the other tab, this one finds out with its next question.
  await wide.getByRole('button', { name: vi.frame.signOut }).click();
  await expect(wide.getByRole('link', { name: vi.frame.signIn })).toBeVisible();
  await page.unroute('**/operator/api/decisions*');
  await page.getByRole('button', { name: vi.frame.tryAgain }).click();
  await expect(page.getByRole('link', { name: vi.frame.signIn })).toBeVisible();
  await expectSound(page, 'signed-out');
});
