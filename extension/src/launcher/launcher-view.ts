import { watchTheme } from '#host-page/html-element.ts';
import type { LauncherHandle } from '#messaging/bridge.ts';
import type { LauncherTexts } from '#messaging/protocol.ts';
import type { UiLanguage } from '#settings/schema.ts';
import css from './launcher.css?inline';
import { addMenu } from './launcher-menu.ts';

/** The actions of the launcher's button. Only the agent's own input triggers them, never a script of the page. */
interface LauncherActions {
  /** `refresh`: with a forced CRM check. `sync`: with a preview of Sync customer. */
  open(ask?: 'refresh' | 'sync'): void;
  /** Pointer or focus is on the button, so it may be pressed soon. */
  prepare(): void;
}

interface LauncherView extends LauncherHandle {
  /** The element to insert into the page; it has a closed shadow root. */
  readonly host: HTMLElement;
  readonly button: HTMLElement;
}

const icon = (shape: string) => `<svg viewBox="0 0 16 16">${shape}</svg>`;

/** Static except for the texts, which come from the background. Anything else is set as text later. */
const markup = (texts: LauncherTexts) =>
  `<style>${css}</style><div><button aria-haspopup=dialog aria-expanded=false>${icon('<circle cx=8 cy=5 r=2.75 /><path d="M2.5 14c.5-6 10.5-6 11 0"/>')}${texts.open}<p><i></i><b></b></p></button><button aria-haspopup=menu aria-expanded=false aria-label="${texts.actions}">${icon('<path d="m4.5 6.5 3.5 3.5 3.5-3.5"/>')}</button><nav role=menu popover><button role=menuitem>${texts.refresh}</button><button role=menuitem>${texts.sync}</button></nav></div>`;

/** Creates the launcher's element without inserting it: button with status, menu, styles. */
export function createLauncherView(language: UiLanguage, texts: LauncherTexts, actions: LauncherActions): LauncherView {
  const host = document.createElement('deskside-launcher');
  host.lang = language;
  const root = host.attachShadow({ mode: import.meta.env.MODE === 'e2e' ? 'open' : 'closed' });
  root.innerHTML = markup(texts);
  const bar = root.querySelector('div') as HTMLElement;
  const status = root.querySelector('p') as HTMLElement;
  const label = root.querySelector('b') as HTMLElement;
  const [button, more, menu] = bar.children as unknown as [HTMLElement, HTMLButtonElement, HTMLElement];

  // The helpdesk has single-key shortcuts on the document (docs/helpdesk.md#the-ticket-page).
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
