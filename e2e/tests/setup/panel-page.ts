import { launcherTexts } from '@deskside/extension/launcher-texts';
import { textsFor } from '@deskside/extension/texts';
import type { BrowserContext, Locator, Page } from 'playwright';
import { expect } from 'playwright/test';
import type { DemoWorld } from '../../demo/world.ts';
import { extensionOrigin } from './shared-browser.ts';

/** The ticket page with launcher and panel, as an agent finds them: by role and name. */
export class PanelPage {
  readonly page: Page;
  readonly language: 'en' | 'vi';
  readonly world: DemoWorld;
  #hasBeenOpen = false;
  readonly launcher: Locator;
  readonly more: Locator;
  readonly refreshItem: Locator;
  /** The panel, wherever it is shown. */
  readonly rail: Locator;
  /** The panel over a page that has no column. */
  readonly floating: Locator;
  readonly refreshButton: Locator;
  readonly closeButton: Locator;
  /** What a screen reader is told. */
  readonly said: Locator;

  constructor(page: Page, world: DemoWorld, language: 'en' | 'vi') {
    const { open, actions, refresh } = launcherTexts[language];
    const { shell } = textsFor(language);
    const launcher = page.locator('deskside-launcher');
    this.page = page;
    this.language = language;
    this.world = world;
    this.launcher = launcher.getByRole('button', { name: new RegExp(`^${open}`) });
    this.more = launcher.getByRole('button', { name: actions });
    this.refreshItem = launcher.getByRole('menuitem', { name: refresh });
    this.rail = page.locator('deskside-panel .panel:not([hidden])');
    this.floating = page.getByRole('dialog', { name: new RegExp(`^${shell.title}`) });
    this.refreshButton = this.rail.getByRole('button', { name: refresh });
    this.closeButton = this.button(shell.close);
    this.said = this.rail.locator('output');
  }

  /** A button of the panel, by its whole name. */
  button(name: string): Locator {
    return this.rail.getByRole('button', { name, exact: true });
  }

  url(ticket: string): string {
    return `${this.world.helpdesk.url}/helpdesk/tickets/${ticket}`;
  }

  /** Goes to a ticket's page as a fresh load. */
  async goto(ticket: string): Promise<void> {
    await this.page.goto(this.url(ticket));
    await this.launcher.waitFor();
  }

  /**
   * Goes to a ticket's page and presses Customer Profile, unless the panel was open on the page before and so comes by
   * itself; waits until it has something to say.
   */
  async open(ticket: string): Promise<void> {
    const wasOpen = await this.rail.isVisible();
    await this.goto(ticket);
    if (!wasOpen) await (this.#hasBeenOpen ? this.#pressUntilOpen() : this.launcher.click());
    await this.settled();
    this.#hasBeenOpen = true;
  }

  /** A panel that was only just out of sight comes by itself, and then a press takes it away. */
  async #pressUntilOpen(): Promise<void> {
    await expect(async () => {
      if (!(await this.rail.isVisible())) await this.launcher.click();
      await expect(this.rail).toBeVisible({ timeout: 15_000 });
    }).toPass();
  }

  /**
   * Shows a ticket in the panel: on a page loaded for it or, where the panel is open already, as the helpdesk's own router
   * goes to it; waits until the panel has something to say.
   */
  async show(ticket: string): Promise<void> {
    if (!(await this.rail.isVisible())) return this.open(ticket);
    await this.moveTo(ticket);
    await expect(this.rail.getByRole('heading', { level: 2 })).toContainText(`#${ticket}`);
    await this.settled();
  }

  /** Goes to another ticket as the helpdesk's own router does: without a page load. */
  async moveTo(ticket: string): Promise<void> {
    await this.goInPage(`/helpdesk/tickets/${ticket}`);
  }

  /** Goes to another address of the helpdesk as its own router does. */
  async goInPage(address: string): Promise<void> {
    await this.page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, address);
  }

  /** Turns to a face of the column: the helpdesk's own fields, or the customer. */
  async turnTo(face: 'ticketFace' | 'customerFace'): Promise<void> {
    await this.button(textsFor(this.language).shell[face]).click();
  }

  /** Chooses something that is done rarely. */
  async choose(item: string): Promise<void> {
    await this.button(textsFor(this.language).shell.more).click();
    await this.rail.getByRole('menuitem', { name: item }).click();
  }

  /** Asks what would be written of the company on screen: It's them, or Update record where that is known. */
  async startSync(): Promise<void> {
    const { shell, steps, sync } = textsFor(this.language);
    await this.button(shell.more).click();
    await this.rail.getByRole('menuitem', { name: new RegExp(`^(${steps.itsThem}|${sync.update})$`) }).click();
    await this.rail.locator('.sheet, .scroller li').first().waitFor();
  }

  /** The button in the sheet that does what the sheet says, whatever that is called. */
  get confirmButton(): Locator {
    return this.rail.locator('.sheet [data-deliberate]');
  }

  /** Presses it as a person does: in the tab in front, once it takes clicks and nothing is said to cover it. */
  async confirm(): Promise<void> {
    await this.page.bringToFront();
    await expect(this.confirmButton).toBeEnabled();
    await expect(this.rail.getByRole('alert')).toHaveCount(0);
    await this.confirmButton.click();
  }

  /** Takes back what was done last, as a person does: once the panel has come to rest. */
  async undo(): Promise<void> {
    await this.settled();
    await this.rests();
    await this.button(textsFor(this.language).shell.undo).click();
  }

  /** Width of what holds the helpdesk's page, in CSS pixels. */
  frameWidth(): Promise<number> {
    return this.page.evaluate(() => document.querySelector('#app > div')?.getBoundingClientRect().width ?? 0);
  }

  /** The panel is there, and no longer loading. */
  async settled(panel = this.rail): Promise<void> {
    await panel.waitFor();
    await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0);
  }

  /** The panel has been where it is for so long that its buttons for changes take a click again. */
  async rests(): Promise<void> {
    await this.rail.evaluate(
      (panel) =>
        new Promise<void>((rested) => {
          let place = '';
          let since = 0;
          const look = (now: number) => {
            const { x, y } = panel.getBoundingClientRect();
            if (`${x} ${y}` !== place) since = now;
            place = `${x} ${y}`;
            if (now - since > 500) rested();
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        }),
    );
  }

  /** Switches the helpdesk's theme as its own switch does, and waits until the panel's colours have followed. */
  async switchTheme(theme: 'light' | 'dark'): Promise<void> {
    await this.page.evaluate((next) => document.documentElement.setAttribute('data-theme', next), theme);
    await this.page.locator(`deskside-panel [data-theme="${theme}"]`).first().waitFor({ state: 'attached' });
  }

  /** Address of the extension's options page. */
  readonly optionsUrl = `${extensionOrigin}/options.html`;
}

/** Signs out of the helpdesk in a tab of its own, as a person does. */
export async function signOut(context: BrowserContext, world: DemoWorld): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(`${world.helpdesk.url}/helpdesk/tickets`);
  await logOut(tab);
  return tab;
}

/** Signs out of the helpdesk on a page of its own. */
export async function logOut(tab: Page): Promise<void> {
  await tab.getByRole('button', { name: 'Log out' }).click();
  await tab.getByLabel('Email').waitFor();
}
