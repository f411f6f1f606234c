import { optionsTextsIn } from '@deskside/extension/options-texts';
import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { axeViolations } from './setup/axe.ts';
import { expect, test } from './setup/fixtures.ts';

const texts = optionsTextsIn('en');

test('the options page of a company’s own package signs in by itself and leads to the tickets', async ({
  page,
  panel,
  world,
}) => {
  await page.goto(panel.optionsUrl);
  await expect(page.getByRole('heading', { name: texts.ready.heading(demo.agent.fullName) })).toBeVisible();
  // A built-in address is shown and cannot be changed.
  await expect(page.locator('code')).toHaveText(/^http:/);
  await expect(page.getByRole('button', { name: texts.change })).toHaveCount(0);
  expect(await axeViolations(page)).toEqual([]);
  await expect(page.getByRole('link', { name: texts.ready.tickets })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${world.helpdesk.url}/helpdesk/tickets`);
});

test('signing out keeps the profile away until the next click on Sign in', async ({ page, panel, context }) => {
  await panel.open(demo.tickets.matched);
  const options = await context.newPage();
  await options.goto(panel.optionsUrl);
  await options.getByRole('button', { name: texts.signIn.signOut }).click();
  await expect(options.getByText(texts.signIn.problems.signed_out)).toBeVisible();
  await options.close();
  // The panel was left open, so it is there again.
  await page.reload();
  const { failures, shell } = textsFor('en');
  await expect(panel.rail).toContainText(failures.code.signed_out.title);
  await panel.rail.getByRole('button', { name: shell.signIn }).click();
  await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
});
