import { optionsTexts } from '@deskside/extension/options-texts';
import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { axeViolations } from './setup/axe.ts';
import { expect, test } from './setup/fixtures.ts';

const texts = optionsTexts.en;

test('the options page says in plain words whether helpdesk, proxy and sign-in work', async ({ page, panel }) => {
  await page.goto(panel.optionsUrl);
  await page.getByRole('button', { name: texts.test.run }).click();
  await expect(page.getByText(demo.agent.name)).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
});

test('built-in addresses are shown and cannot be changed', async ({ page, panel, world }) => {
  await page.goto(panel.optionsUrl);
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
  await page.reload();
  await panel.launcher.click();
  const { failures, shell } = textsFor('en');
  await expect(panel.dialog).toContainText(failures.code.signed_out.title);
  await panel.dialog.getByRole('button', { name: shell.signIn }).click();
  await expect(panel.dialog).toContainText('Gốm Sứ Làng Mơ');
});
