import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { createBackground } from '../../background/app.ts';
import { isFirstStart, protectLocalStorage } from '../../platform/session-store.ts';
import { onSettingsChanged } from '../../settings/settings.ts';

// Every listener is registered before the first await, or the browser would not wake the background for it.
export default defineBackground(() => {
  const background = createBackground();

  browser.runtime.onMessage.addListener((message, sender, respond) => {
    background.handle(message, sender).then(respond, () => respond());
    return true;
  });
  browser.runtime.onInstalled.addListener(({ reason }) => {
    if (reason === 'install') background.installed();
  });
  // Listened to only so that the browser starts the background, which then brings everything in line by itself.
  browser.runtime.onStartup.addListener(() => {});
  browser.permissions.onAdded.addListener(() => background.sync(false));
  browser.permissions.onRemoved.addListener(() => background.sync(false));
  onSettingsChanged(() => background.sync(false));
  browser.action.onClicked.addListener(background.clicked);
  browser.commands.onCommand.addListener((_, tab) => background.toggle(tab));
  browser.tabs.onRemoved.addListener((tabId) => background.tabShows(tabId, undefined));
  browser.tabs.onUpdated.addListener((tabId, _, tab) => background.tabShows(tabId, tab.url));
  isFirstStart().then(async (first) => {
    if (first) await background.sync(true);
  });
  protectLocalStorage();
});
