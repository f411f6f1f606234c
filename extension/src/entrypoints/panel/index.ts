import { browser } from 'wxt/browser';
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import css from '#assets/panel.css?inline';
import { insertPanel } from '#host-page/anchors.ts';
import { markGone, shownByRule, unmarkGone, whenOrphaned } from '#host-page/presence.ts';
import { watchColumn } from '#host-page/watch-column.ts';
import { watchTheme, whenInFront } from '#host-page/watch-page.ts';
import { ticketOf } from '#host-page/watch-route.ts';
import { bridge, type PanelHandle } from '#messaging/bridge.ts';
import type { TabMessage } from '#messaging/protocol.ts';
import { send } from '#messaging/send.ts';
import { createPanel } from '#panel/panel-controller.tsx';
import { createQueryClient } from '#panel/query/profile-query.ts';
import { createShadowHost, shadowStyles } from '#ui/shadow-root.ts';

// Injected into the helpdesk's page on demand: when the panel may soon be wanted, or was left open. The style sheet is part
// of the script, so that no file of the extension has to be accessible to the page.
export default defineUnlistedScript({
  async main() {
    // Inside, because WXT looks at everything else of this file while it builds.
    async function mount(): Promise<void> {
      const start = await send('panel.start', {});
      // A page older than this extension may still have the panel of the version before.
      document.querySelector('deskside-panel')?.remove();
      const { host, container } = createShadowHost('deskside-panel', shadowStyles(css) + shownByRule);
      insertPanel(host);
      const arranged = { layout: start?.layout ?? { open: false }, shortcut: start?.shortcut ?? null };
      const panel = createPanel(container, createQueryClient(), start?.language ?? 'en', arranged, {
        watchColumn: (onBox, onNeeded) =>
          watchColumn({
            onBox,
            onNeeded,
            onMissing(anchor) {
              const ticket = ticketOf(location.href);
              if (ticket) void send('page.anchorMissing', { ticket, anchor });
            },
          }),
        openOwn() {
          const ticket = ticketOf(location.href);
          if (ticket) void send('customer.open', { ticket });
        },
        // The background's rule goes by it, and ends with the element.
        setFace: (face) => (face ? host.setAttribute('face', face) : host.removeAttribute('face')),
      });
      const theme = watchTheme(panel.setTheme);
      const handle: PanelHandle = {
        ...panel,
        get isOpen() {
          return panel.isOpen && host.isConnected;
        },
        open(options) {
          // The page may have thrown it away.
          if (!host.isConnected) insertPanel(host);
          panel.open(options);
        },
      };
      bridge().panel = handle;
      // Left by a version before.
      unmarkGone();
      whenOrphaned(() => {
        theme.disconnect();
        ignoreFront();
        panel.destroy();
        host.remove();
        if (bridge().panel === handle) bridge().panel = undefined;
        markGone();
      });
      const listen = (message: TabMessage) => {
        if (message.deskside === 'language') panel.setLanguage(message.language);
        if (message.deskside === 'written') panel.look(message.ticket);
      };
      browser.runtime.onMessage.addListener(listen);
      const ignoreFront = whenInFront(() => panel.look());
      panel.setTicket(ticketOf(location.href));
    }
    const shared = bridge();
    shared.mounting ??= mount().catch((cause) => {
      delete shared.mounting;
      throw cause;
    });
    await shared.mounting;
  },
});
