import type { LauncherTexts, UiLanguage } from '../messaging/protocol.ts';
import type { LauncherHandle } from '../panel/bridge.ts';
import css from './launcher.css?inline';
import { addMenu } from './launcher-menu.ts';
import { watchTheme } from './theme.ts';

/** What the launcher's button can ask for. Every one of them comes from the agent's own hand, never from the page. */
export interface LauncherActions {
  /** `refresh`: with a forced CRM check. `sync`: with what Sync customer would change. */
  open(ask?: 'refresh' | 'sync'): void;
  /** The pointer or the focus is on the button: opening may follow. */
  prepare(): void;
}

export interface LauncherView extends LauncherHandle {
  /** The element for the page, with a closed shadow root. */
  readonly host: HTMLElement;
  readonly button: HTMLElement;
}

const icon = (shape: string) => `<svg viewBox="0 0 16 16">${shape}</svg>`;

/** Static, but for the texts, which the background sends: whatever comes from elsewhere is set as text later. */
const markup = (texts: LauncherTexts) =>
  `<style>${css}</style><div><button aria-haspopup=dialog aria-expanded=false>${icon('<circle cx=8 cy=5 r=2.75 /><path d="M2.5 14c.5-6 10.5-6 11 0"/>')}${texts.open}<p><i></i><b></b></p></button><button aria-haspopup=menu aria-expanded=false aria-label="${texts.actions}">${icon('<path d="m4.5 6.5 3.5 3.5 3.5-3.5"/>')}</button><nav role=menu popover><button role=menuitem>${texts.refresh}</button><button role=menuitem>${texts.sync}</button></nav></div>`;

/** Builds the launcher's element, not yet in the page: button with status, menu, own styles. */
export function createLauncherView(language: UiLanguage, texts: LauncherTexts, actions: LauncherActions): LauncherView {
  const host = document.createElement('deskside-launcher');
  host.lang = language;
  const root = host.attachShadow({ mode: import.meta.env.MODE === 'e2e' ? 'open' : 'closed' });
  root.innerHTML = markup(texts);
  const bar = root.querySelector('div') as HTMLElement;
  const status = root.querySelector('p') as HTMLElement;
  const label = root.querySelector('b') as HTMLElement;
  const [button, more, menu] = bar.children as unknown as [HTMLElement, HTMLButtonElement, HTMLElement];

  // The helpdesk's shortcuts are single keys on the document (facts/live.md section 6).
  for (const type of ['keydown', 'keyup']) host.addEventListener(type, (event) => event.stopPropagation());
  button.onclick = ({ isTrusted }) => isTrusted && actions.open();
  bar.onpointerenter = button.onfocus = more.onfocus = actions.prepare;
  addMenu(
    more,
    menu,
    () => actions.open('refresh'),
    () => actions.open('sync'),
  );
  watchTheme((theme) => {
    bar.style.colorScheme = theme;
  });

  return {
    host,
    button,
    setStatus(next) {
      status.className = next?.tone ?? '';
      button.title = label.textContent = next?.label ?? '';
    },
    setExpanded(expanded) {
      button.ariaExpanded = `${expanded}`;
    },
  };
}
