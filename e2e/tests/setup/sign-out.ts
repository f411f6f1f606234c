import type { BrowserContext, Page } from 'playwright';
import type { World } from '../../demo/world.ts';

/** Signs out of the helpdesk in a tab of its own, as a person does. */
export async function signOut(context: BrowserContext, world: World): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(`${world.helpdesk.url}/helpdesk/tickets`);
  await tab.getByRole('button', { name: 'Log out' }).click();
  await tab.getByLabel('Email').waitFor();
  return tab;
}
