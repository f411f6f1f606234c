import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import type { DemoWorld } from '../demo/world.ts';
import { expect, test } from './setup/fixtures.ts';
import { logOut, PanelPage, signOut } from './setup/panel-page.ts';

const { agent, otherAgent, tickets } = demo;
const en = textsFor('en');
const company = 'Gốm Sứ Làng Mơ';

/** Signs in on the helpdesk's login page. */
async function signIn(tab: Page, { name, password }: { name: string; password: string }): Promise<void> {
  await tab.getByLabel('Email').fill(name);
  await tab.getByLabel('Password').fill(password);
  await tab.getByRole('button', { name: 'Login' }).click();
  await tab.getByRole('button', { name: 'Log out' }).waitFor();
}

/** Users whose tickets the helpdesk was asked for by the proxy, since the journal was cleared. */
function askedAs({ helpdesk }: DemoWorld): string[] {
  const asked = helpdesk.journal.filter(
    ({ path, query }) => path.endsWith('get_user') || query.doctype === 'HD Ticket',
  );
  return [...new Set(asked.map(({ user }) => user))];
}

/** Whether the helpdesk still accepts the token that the extension used, as `world` and `gateway` have seen it. */
async function isAccepted({ helpdesk }: DemoWorld, authorization: string): Promise<boolean> {
  const answer = await fetch(`${helpdesk.url}/api/method/frappe.auth.get_logged_user`, { headers: { authorization } });
  return answer.ok;
}

test.describe('in another language than the browser’s', () => {
  test.use({ generation: '1.24', language: 'vi' });
  const t = textsFor('vi');

  test('who signs out in another tab takes the customer off the open panel, and ends the token; who signs in instead, now or before the next ticket, acts as themselves', async ({
    context,
    page,
    world,
    gateway,
    panel,
  }) => {
    // Whose language is not known yet is spoken to in the browser's.
    const stranger = new PanelPage(page, world, 'en');
    const used = new Set<string>();
    gateway.answer = (_, { authorization }) => {
      if (authorization) used.add(authorization);
      return null;
    };
    await panel.open(tickets.matched);
    await expect(panel.rail).toContainText(company);
    const tab = await signOut(context, world);
    await expect(panel.rail).toContainText(t.failures.code.signed_out.title);
    await expect(panel.rail).not.toContainText(company);
    for (const token of used) await expect.poll(() => isAccepted(world, token)).toBe(false);
    expect(used.size).toBe(1);

    await test.step('who signs in instead is asked to sign in to Deskside too', async () => {
      await signIn(tab, otherAgent);
      await page.bringToFront();
      await expect(stranger.rail).toContainText(en.failures.code.signed_out.title);
      await world.idle();
      world.helpdesk.clearJournal();
      await stranger.rail.getByRole('button', { name: en.shell.signIn }).click();
      await expect(panel.rail).toContainText(company);
      expect(askedAs(world)).toContain(otherAgent.name);
      expect(askedAs(world)).not.toContain(agent.name);
    });

    await test.step('a change while no ticket is open is noticed by the next one: nothing is fetched as the former person', async () => {
      await page.goto('about:blank');
      await logOut(tab);
      await signIn(tab, agent);
      await world.idle();
      world.helpdesk.clearJournal();
      await page.goto(panel.url(tickets.claimed));
      await stranger.settled();
      await expect(stranger.rail).toContainText(en.failures.code.signed_out.title);
      expect(askedAs(world)).not.toContain(otherAgent.name);
    });
  });
});

test('the same person coming back needs no click, and is spoken to in their new language', async ({
  context,
  page,
  world,
  panel,
}) => {
  await panel.goto(tickets.matched);
  await expect(panel.launcher).toHaveAccessibleName(/Verified/);
  const tab = await signOut(context, world);
  await page.bringToFront();
  await expect(panel.launcher).toHaveAccessibleName(/Sign in/);
  world.helpdesk.settings.language = 'vi';
  await signIn(tab, agent);
  await page.bringToFront();
  const back = new PanelPage(page, world, 'vi');
  await expect(back.launcher).toHaveAccessibleName(/Đã xác minh/);
  await back.launcher.click();
  await expect(back.rail).toContainText(company);
  await expect(back.rail).toContainText(textsFor('vi').trust.tag.confirmed);
  await expect(back.launcher).toHaveAccessibleName(/Đã xác minh/);
});
