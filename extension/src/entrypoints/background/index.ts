import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { createBackground } from '#background/app.ts';
import { togglePanel } from '#background/tabs.ts';
import { onSettingsChanged } from '#browser/settings.ts';
import { oncePerStart, protectLocalStorage } from '#browser/storage.ts';

// All listeners are registered before the first await; otherwise the browser would not wake the background for them.
export default defineBackground(() => {
  const background = createBackground();

  browser.runtime.onMessage.addListener((message, sender, respond) => {
    background.handle(message, sender).then(respond, () => respond());
    return true;
  });
  browser.runtime.onConnect.addListener(background.connected);
  browser.runtime.onInstalled.addListener(({ reason }) => {
    if (reason === 'install') background.installed();
  });
  // An empty listener makes the browser start the background, which then applies the settings (see oncePerStart).
  browser.runtime.onStartup.addListener(() => {});
  browser.permissions.onAdded.addListener(() => background.applySettings(false));
  browser.permissions.onRemoved.addListener(() => background.applySettings(false));
  onSettingsChanged(() => background.applySettings(false));
  browser.storage.onChanged.addListener((_, area) => {
    if (area === 'managed') background.learnPolicy();
  });
  browser.action.onClicked.addListener(background.clicked);
  browser.commands.onCommand.addListener((_, tab) => togglePanel(tab));
  oncePerStart(() => background.applySettings(true));
  protectLocalStorage();
  background.learnPolicy();
});
