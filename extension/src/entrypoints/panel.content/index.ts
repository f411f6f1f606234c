import { createShadowRootUi } from 'wxt/utils/content-script-ui/shadow-root';
import { defineContentScript } from 'wxt/utils/define-content-script';
import css from '../../assets/panel.css?inline';
import { watchTheme } from '../../host-page/theme.ts';
import { send } from '../../messaging/send.ts';
import { bridge } from '../../panel/bridge.ts';
import { resolveLanguage } from '../../platform/language.ts';
import { createPanel } from '../../profile/panel-controller.tsx';
import { createQueryClient } from '../../profile/query-client.ts';
import { isolatedEvents } from '../../ui/isolated-events.ts';
import { shadowStyles } from '../../ui/shadow-styles.ts';

// Injected into the helpdesk's page on demand. The sheet comes inside the script, so that nothing of the extension has to
// be reachable from the page.
export default defineContentScript({
  registration: 'runtime',
  matches: [],
  cssInjectionMode: 'manual',
  noScriptStartedPostMessage: true,
  async main(ctx) {
    const hostLang = document.documentElement.lang;
    const ui = await createShadowRootUi(ctx, {
      name: 'deskside-panel',
      position: 'inline',
      anchor: 'html',
      // Open in end-to-end builds only: testing tools cannot look into a closed root.
      mode: import.meta.env.MODE === 'e2e' ? 'open' : 'closed',
      isolateEvents: isolatedEvents,
      css: shadowStyles(css),
      onMount: (container) =>
        createPanel(container, createQueryClient(), resolveLanguage('auto', hostLang, navigator.language)),
      onRemove: (panel) => panel?.destroy(),
    });
    ui.mount();
    const panel = ui.mounted;
    if (!panel) return;
    watchTheme(panel.setTheme, ctx.signal);
    bridge().panel = panel;
    ctx.onInvalidated(() => {
      if (bridge().panel === panel) bridge().panel = undefined;
    });
    const settings = await send('panel.settings', {}).catch(() => null);
    if (settings) panel.setLanguage(resolveLanguage(settings.language, hostLang, navigator.language));
  },
});
