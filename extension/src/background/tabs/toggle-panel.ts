import { isTicketTab, type Tab } from './is-ticket-tab.ts';
import { launcherFile } from './register-launcher.ts';

interface TogglePanelOptions {
  /** Origin of the helpdesk, if it is granted. */
  helpdesk(): Promise<string | null>;
  /** Tells the launcher in a tab. False if none is listening. */
  toggle(tabId: number): Promise<boolean>;
  inject(tabId: number, file: string): Promise<boolean>;
}

/**
 * Opens or closes the panel in a tab that shows a ticket, for the keyboard shortcut and the toolbar button.
 * @returns false if the tab shows no ticket
 */
export async function togglePanel(tab: Tab | undefined, options: TogglePanelOptions): Promise<boolean> {
  if (!isTicketTab(tab, await options.helpdesk())) return false;
  // The page may have been opened before the extension was installed, updated or granted access.
  if (!(await options.toggle(tab.id)) && (await options.inject(tab.id, launcherFile))) await options.toggle(tab.id);
  return true;
}
