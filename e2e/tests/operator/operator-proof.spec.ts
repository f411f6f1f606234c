import { operatorTexts } from '@deskside/operator/texts';
import { demo } from '@deskside/simulators/seed/index';
import { expect, expectSound, newPage, signIn, test } from './operator-fixtures.ts';

test('a System Manager has a proof made, in both languages; an Agent Manager has no such button', async ({
  browser,
  world,
}) => {
  for (const language of ['en', 'vi'] as const) {
    const { proof } = operatorTexts(language);
    const page = await newPage(browser, { language, theme: language === 'vi' ? 'dark' : 'light' });
    await signIn(page, world, demo.admin.name);
    const card = page.getByRole('region', { name: proof.title });
    await card.getByRole('button', { name: proof.button }).press('Enter');
    await expect(card.getByRole('status')).toContainText(proof.copyKept);
    await expect(card.getByRole('status').locator('ol > li')).toHaveCount(6);
    await expectSound(page, `proof-${language}`);
  }
  const page = await newPage(browser);
  await signIn(page, world);
  const { today, proof } = operatorTexts('en');
  await expect(page.getByRole('region', { name: today.tickets.title })).toBeVisible();
  await expect(page.getByRole('button', { name: proof.button })).toHaveCount(0);
});
