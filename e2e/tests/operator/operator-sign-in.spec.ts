import { operatorTexts } from '@deskside/operator/texts';
import { demo } from '@deskside/simulators/seed/index';
import { axeViolations } from '../setup/axe.ts';
import { expect, newPage, signIn, test } from './operator-fixtures.ts';

const { frame } = operatorTexts('en');

test('an operator signs in with the helpdesk, is still signed in after a reload, and signs out', async ({
  browser,
  world,
}) => {
  const page = await newPage(browser);
  const policy: string[] = [];
  const own = new URL(world.operatorUrl).origin;
  page.on('console', (message) => {
    if (message.type() === 'error' && message.location().url.startsWith(own)) policy.push(message.text());
  });
  await page.goto(world.operatorUrl);
  await expect(page.getByRole('heading', { name: frame.signedOut.title })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  // Not signed in to the helpdesk either: its own page asks, and leads back.
  await page.getByRole('link', { name: frame.signIn }).click();
  await page.getByLabel('Email').fill(demo.manager.name);
  await page.getByLabel('Password').fill(demo.manager.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { level: 1, name: frame.pages.today })).toBeVisible();
  await expect(page).toHaveURL(world.operatorUrl);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: frame.pages.today })).toBeVisible();
  expect(await page.evaluate(() => document.cookie)).toBe('');

  await page.getByRole('button', { name: frame.signOut }).click();
  await expect(page.getByRole('heading', { name: frame.signedOut.title })).toBeVisible();
  await page.goto(`${world.operatorUrl}/routing`);
  await expect(page.getByRole('heading', { name: frame.signedOut.title })).toBeVisible();
  // Being signed out is an answer of 401, which the browser counts as one; nothing else was refused.
  expect(policy.filter((text) => !text.includes('401'))).toEqual([]);
});

test('an agent without the role is told so, in their language', async ({ browser, world }) => {
  const page = await newPage(browser, { language: 'vi' });
  await signIn(page, world, demo.agent.name);
  const { frame: texts } = operatorTexts('vi');
  await expect(page.getByRole('alert')).toContainText(texts.problem.not_allowed.title);
  expect(await axeViolations(page)).toEqual([]);
});
