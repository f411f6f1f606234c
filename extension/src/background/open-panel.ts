import { ticketOf } from '../host-page/ticket-route.ts';
import { launcherFile } from './sync-launcher.ts';

export interface OpenPanelOptions {
  /** Origin of the helpdesk, if it is granted. */
  helpdesk(): Promise<string | null>;
  /** Tells the launcher in a tab. False where none is listening. */
  toggle(tabId: number): Promise<boolean>;
  inject(tabId: number, file: string): Promise<boolean>;
}

/**
 * Opens or closes the panel in a tab that shows a ticket of the helpdesk, by the shortcut or the toolbar's button.
 * @returns false if the tab shows none; there is nothing to toggle then
 */
export async function togglePanel(
  tab: { id?: number | undefined; url?: string | undefined } | undefined,
  options: OpenPanelOptions,
): Promise<boolean> {
  const helpdesk = await options.helpdesk();
  if (!helpdesk || tab?.id === undefined || !tab.url || !ticketOf(tab.url)) return false;
  if (new URL(tab.url).origin !== helpdesk) return false;
  // The page may have been open since before the extension was installed, updated or allowed.
  if (!(await options.toggle(tab.id)) && (await options.inject(tab.id, launcherFile))) await options.toggle(tab.id);
  return true;
}
