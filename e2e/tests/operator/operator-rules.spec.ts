import { operatorTexts } from '@deskside/operator/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import { expect, expectSound, fillDay, newPage, signIn, test } from './operator-fixtures.ts';

const en = operatorTexts('en');
const vi = operatorTexts('vi');

// Every rule is the default, and can be changed on the page.
test.use({ environment: { RULES_FILE: undefined } });

/** Opens the form of a setting. */
async function change(page: Page, name: keyof typeof en.settings.name, { settings } = en) {
  const title = settings.changeOf(settings.name[name]);
  await page.getByRole('button', { name: title }).click();
  const form = page.getByRole('form', { name: title });
  await expect(form).toBeVisible();
  return form;
}

test('a rule says before it is saved where the last tickets would have gone, and then what it was before', async ({
  browser,
  world,
}) => {
  await fillDay(world);
  const page = await newPage(browser);
  await signIn(page, world, demo.admin.name);
  await page.getByRole('link', { name: en.frame.pages.settings }).click();
  const form = await change(page, 'teams');
  const teams = form.getByRole('combobox', { name: en.ruleForms.teams.sme });
  await expect(teams).toHaveValue('CS 60p');
  await teams.selectOption('Medium - Grow');
  await form.getByRole('button', { name: en.ruleForms.preview.check }).click();
  const said = form.getByRole('status');
  await expect(said).toContainText(/It would have moved \d of the last \d tickets to another team\./);
  await expect(said).toContainText(/CS 60p → Medium - Grow: \d/);
  await expect(said).toContainText(en.ruleForms.preview.notSaved);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectSound(page, 'rule-teams-preview-light');

  // Another choice is looked at anew.
  await teams.selectOption('CS 60p');
  await expect(said).toBeEmpty();
  await teams.selectOption('Medium - Grow');
  await form.getByRole('button', { name: en.ruleForms.preview.check }).click();
  await form.getByRole('button', { name: en.settings.save }).click();
  await expect(said).toContainText(en.settings.done);
  const latest = page.getByRole('region', { name: en.settings.audit.title }).getByRole('listitem').first();
  await expect(latest).toContainText(`${en.settings.audit.standard} {"medium_scale":"Medium - Scale"`);

  await form.getByRole('button', { name: en.settings.removeAfterCheck }).click();
  await expect(said).toContainText(en.ruleForms.preview.notRemoved);
  await form.getByRole('button', { name: en.settings.remove, exact: true }).click();
  await expect(latest).toContainText(en.settings.audit.action.unset);
});

test('claims, words and hosts have forms, whose fields say what is wrong with them; JSON is still there', async ({
  browser,
  world,
}) => {
  const page = await newPage(browser, { theme: 'dark' });
  await signIn(page, world, demo.admin.name);
  await page.getByRole('link', { name: en.frame.pages.settings }).click();

  const claims = await change(page, 'claims');
  await expect(claims.getByRole('radio', { name: /route/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(claims.getByRole('status')).toContainText(en.ruleForms.preview.noTicket);
  await page.keyboard.press('Enter');
  await expect(claims.getByRole('status')).toContainText(en.settings.done);
  await expectSound(page, 'rule-claims-dark');
  await claims.getByRole('button', { name: en.settings.cancel }).click();

  const hosts = await change(page, 'platform_hosts');
  const list = hosts.getByRole('textbox', { name: en.ruleForms.platformHosts });
  await list.fill('myplatform.example\n\na b\n');
  await hosts.getByRole('button', { name: en.settings.save }).click();
  await expect(list).toHaveAccessibleDescription(new RegExp(`“a b” ${en.ruleForms.wrong.host}`));
  await expect(list).toBeFocused();
  await expect(list).toHaveAttribute('aria-invalid', 'true');
  await expectSound(page, 'rule-hosts-wrong-dark');
  await list.fill('myplatform.example');
  await hosts.getByRole('button', { name: en.settings.save }).click();
  await expect(hosts.getByRole('status')).toContainText(en.settings.done);
  await hosts.getByRole('button', { name: en.settings.cancel }).click();

  const words = await change(page, 'plan_words');
  const scale = words.getByRole('textbox', { name: en.ruleForms.planWords.scale });
  await scale.fill('');
  await words.getByRole('button', { name: en.ruleForms.preview.check }).click();
  await expect(scale).toHaveAccessibleDescription(new RegExp(en.ruleForms.wrong.words));
  await words.getByRole('button', { name: en.ruleForms.asJson }).click();
  const json = words.getByRole('textbox', { name: en.settings.json });
  await json.fill('{"scale":["enterprise"]');
  await expect(words.getByText(en.ruleForms.notForForm)).toBeVisible();
  await json.fill('{"scale":["enterprise"],"grow":["grow"]}');
  await words.getByRole('button', { name: en.ruleForms.asForm }).click();
  await expect(scale).toHaveValue('enterprise');
  await expectSound(page, 'rule-plan-words-dark');
});

test('additional CRM fields in Vietnamese on a phone: one that the CRM lacks is refused at its row', async ({
  browser,
  world,
}) => {
  const page = await newPage(browser, { language: 'vi', phone: true });
  await signIn(page, world, demo.admin.name);
  await page.getByLabel(/Language|Ngôn ngữ/).selectOption('vi');
  await page.getByRole('link', { name: vi.frame.pages.settings }).click();
  const form = await change(page, 'crm_fields', vi);
  const { extra, wrong } = vi.ruleForms;
  await form.getByRole('button', { name: extra.add }).click();
  const field = form.getByRole('textbox', { name: extra.field });
  await expect(field).toBeFocused();
  await field.fill('ucrm');
  await form.getByRole('button', { name: vi.settings.save }).click();
  await expect(field).toHaveAccessibleDescription(wrong.crmField);
  await expect(form.getByRole('textbox', { name: extra.key })).toHaveAccessibleDescription(wrong.key);
  await expect(form.getByRole('textbox', { name: extra.label })).toHaveAccessibleDescription(wrong.label);
  await expectSound(page, 'rule-fields-wrong-phone-vi');
  await field.fill('UF_CRM_NOT_THERE');
  await form.getByRole('textbox', { name: extra.key }).fill('metric');
  await form.getByRole('textbox', { name: extra.label }).fill('Chỉ số của shop');
  await form.getByRole('button', { name: vi.settings.save }).click();
  await expect(field).toHaveAccessibleDescription(wrong.unknownField);
  await field.fill('UF_CRM_PLATFORM_MEMBERSHIP');
  await form.getByRole('button', { name: vi.settings.save }).click();
  await expect(form.getByRole('status')).toContainText(vi.settings.done);
  await expectSound(page, 'rule-fields-phone-vi');
});
