import { browser } from 'wxt/browser';

/** The keyboard shortcut that opens and closes the panel, null if none is set. */
export async function readShortcut(): Promise<string | null> {
  const commands = await browser.commands.getAll();
  return commands.find(({ name }) => name === 'toggle-panel')?.shortcut || null;
}

/** Opens the browser's page for extension shortcuts, the only place where they can be changed. */
export async function openShortcutSettings(): Promise<void> {
  const { commands, tabs } = browser as typeof browser & { commands: { openShortcutSettings?(): Promise<void> } };
  if (commands.openShortcutSettings) await commands.openShortcutSettings();
  else await tabs.create({ url: 'chrome://extensions/shortcuts' });
}
