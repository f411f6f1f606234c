import { createShadowRootUi } from 'wxt/utils/content-script-ui/shadow-root';
import { defineContentScript } from 'wxt/utils/define-content-script';
import css from '#assets/panel.css?inline';
import { pageLanguage, watchTheme } from '#host-page/html-element.ts';
import { bridge } from '#messaging/bridge.ts';
import { send } from '#messaging/send.ts';
import { createPanel } from '#profile/panel-controller.tsx';
import { createQueryClient } from '#profile/query/query-client.ts';
import { resolveLanguage } from '#settings/language.ts';
import { isolatedEvents, shadowStyles } from '#ui/shadow-root.ts';

// Injected into the helpdesk's page on demand. The style sheet is part of the script, so that no file of the extension
// has to be accessible to the page.
export default defineContentScript({
  registration: 'runtime',
  matches: [],
  cssInjectionMode: 'manual',
  noScriptStartedPostMessage: true,
  async main(ctx) {
    const declared = pageLanguage();
    const ui = await createShadowRootUi(ctx, {
      name: 'deskside-panel',
      position: 'inline',
      anchor: 'html',
      // Open in end-to-end builds only: testing tools cannot look into a closed root.
      mode: import.meta.env.MODE === 'e2e' ? 'open' : 'closed',
      isolateEvents: isolatedEvents,
      css: shadowStyles(css),
      onMount: (container) =>
        createPanel(container, createQueryClient(), resolveLanguage('auto', declared, navigator.language)),
      onRemove: (panel) => panel?.destroy(),
    });
    ui.mount();
    const panel = ui.mounted;
    if (!panel) return;
    const theme = watchTheme(panel.setTheme);
    bridge().panel = panel;
    ctx.onInvalidated(() => {
      theme.disconnect();
      if (bridge().panel === panel) bridge().panel = undefined;
    });
    const settings = await send('panel.settings', {}).catch(() => null);
    if (settings) panel.setLanguage(resolveLanguage(settings.language, declared, navigator.language));
  },
});
