import { optionsTexts } from '@deskside/extension/options-texts';
import { textsFor } from '@deskside/extension/texts';
import { welcomeTexts } from '@deskside/extension/welcome-texts';
import { demo } from '@deskside/simulators/seed/index';
import { axeViolations } from './setup/axe.ts';
import { expect, test } from './setup/fixtures.ts';
import { extensionOrigin } from './setup/shared-browser.ts';

const texts = optionsTexts.en;

test('the options page says in plain words whether helpdesk, proxy and sign-in work, and which addresses are built in', async ({
  page,
  panel,
  world,
}) => {
  await page.goto(panel.optionsUrl);
  await page.getByRole('button', { name: texts.test.run }).click();
  await expect(page.getByText(demo.agent.name)).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  // Built-in addresses are shown and cannot be changed.
  const helpdesk = page.getByLabel(texts.addresses.helpdesk, { exact: true });
  await expect(helpdesk).toHaveValue(world.helpdesk.url);
  await expect(helpdesk).toHaveAttribute('readonly', '');
});

test('signing out keeps the profile away until the next click on Sign in', async ({ page, panel, context }) => {
  await panel.open(demo.tickets.matched);
  const options = await context.newPage();
  await options.goto(panel.optionsUrl);
  await options.getByRole('button', { name: texts.session.signOut }).click();
  await expect(options.getByText(texts.session.none)).toBeVisible();
  await options.close();
  // The panel was left open, so it is there again.
  await page.reload();
  const { failures, shell } = textsFor('en');
  await expect(panel.rail).toContainText(failures.code.signed_out.title);
  await panel.rail.getByRole('button', { name: shell.signIn }).click();
  await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
});

test('the welcome page of a company’s own package signs in by itself and leads to the tickets', async ({
  page,
  world,
}) => {
  await page.goto(`${extensionOrigin}/welcome.html`);
  const { ready } = welcomeTexts.en.signIn;
  await expect(page.getByRole('heading', { name: ready.heading(demo.agent.fullName) })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await expect(page.getByRole('link', { name: ready.tickets })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${world.helpdesk.url}/helpdesk/tickets`);
});
