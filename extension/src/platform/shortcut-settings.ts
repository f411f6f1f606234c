import { browser } from 'wxt/browser';

/** Opens the browser's own page for keyboard shortcuts of extensions. Only there can they be changed. */
export async function openShortcutSettings(): Promise<void> {
  const { commands, tabs } = browser as typeof browser & { commands: { openShortcutSettings?(): Promise<void> } };
  if (commands.openShortcutSettings) await commands.openShortcutSettings();
  else await tabs.create({ url: 'chrome://extensions/shortcuts' });
}
