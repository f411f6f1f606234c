import { shownByRule } from '#host-page/presence.ts';
import { watchTheme } from '#host-page/watch-page.ts';
import type { LauncherHandle } from '#messaging/bridge.ts';
import type { Speech } from '#messaging/protocol.ts';
import css from './launcher.css?inline';

/** The actions of the launcher's button. Only the agent's own input triggers them, never a script of the page. */
interface LauncherActions {
  /** Opens or closes. `refresh`: open, with a forced CRM check. `sync`: open, with a preview of Sync customer. */
  open(ask?: 'refresh' | 'sync'): void;
  team(): void;
  /** Pointer or focus is on the button, so it may be pressed soon. */
  prepare(): void;
}

interface LauncherView extends LauncherHandle {
  /** The element to insert into the page; it has a closed shadow root. */
  readonly host: HTMLElement;
  /** The element was put into this place; null: it floats. */
  placed(place: Element | null): void;
  speak(speech: Speech): void;
}

/** Creates the launcher's element, not yet inserted. It says nothing before `speak`. `shortcut`: for the tooltip. */
export function createLauncherView(shortcut: string | null, actions: LauncherActions): LauncherView {
  const host = document.createElement('deskside-launcher');
  const root = host.attachShadow({ mode: import.meta.env.MODE === 'e2e' ? 'open' : 'closed' });
  // A literal, as the stores' linters want it: styles and texts are added as what they are.
  root.innerHTML =
    '<div><button aria-haspopup=dialog aria-expanded=false><svg viewBox="0 0 16 16"><circle cx=8 cy=5 r=2.75 /><path d="M2.5 14c.5-6 10.5-6 11 0"/></svg><span></span><p><i></i><b></b></p></button><button aria-haspopup=menu aria-expanded=false><svg viewBox="0 0 16 16"><path d="m4.5 6.5 3.5 3.5 3.5-3.5"/></svg></button><nav role=menu popover><button role=menuitem tabindex=-1></button><button role=menuitem tabindex=-1></button></nav></div><style></style>';
  const [bar, style] = root.children as unknown as [HTMLElement, HTMLElement];
  style.textContent = css + shownByRule;
  const [button, more, menu] = bar.children as unknown as [HTMLElement, HTMLButtonElement, HTMLElement];
  const [, name, status] = button.children as unknown as [Element, HTMLElement, HTMLElement];
  const label = status.lastChild as HTMLElement;
  const [refresh, sync] = menu.children as unknown as [HTMLElement, HTMLElement];
  // For leads.
  const team = sync.cloneNode() as HTMLElement;

  // What the menu uses is not for the helpdesk, which has shortcuts on the document (docs/helpdesk.md#the-ticket-page).
  host.onkeydown = (event) => {
    if (event.defaultPrevented) event.stopPropagation();
  };
  button.onclick = ({ isTrusted }) => isTrusted && actions.open();
  button.onkeydown = ({ key, isTrusted }) => {
    if (isTrusted && key === 'Escape' && button.ariaExpanded === 'true') actions.open();
  };
  bar.onpointerenter = button.onfocus = more.onfocus = actions.prepare;
  addMenu(
    more,
    menu,
    () => actions.open('refresh'),
    () => actions.open('sync'),
    actions.team,
  );
  watchTheme((theme) => {
    bar.style.colorScheme = theme;
  });

  const placed = keepRoom((size) => {
    bar.className = size;
  });
  const setStatus: LauncherView['setStatus'] = (next) => {
    status.className = next?.tone ?? '';
    label.textContent = next?.label ?? '';
    button.title = [name.textContent, next?.label, shortcut].filter(Boolean).join(' · ');
    placed();
  };

  return {
    host,
    button,
    placed,
    speak({ language, texts }) {
      host.lang = language;
      name.textContent = texts.open;
      more.ariaLabel = texts.actions;
      refresh.textContent = texts.refresh;
      sync.textContent = texts.sync;
      team.textContent = texts.team;
      team.remove();
      if (texts.team) menu.append(team);
      setStatus(null);
    },
    setStatus,
    setExpanded(expanded) {
      button.ariaExpanded = `${expanded}`;
    },
  };
}

/**
 * Turns a button and an element with `popover`, whose children are the items, into a menu button: arrow keys, Home and
 * End move, Escape closes and gives the focus back to the button, Tab goes on from there. Items may come and go at the end.
 * @param choose the actions of the items, in their order
 */
function addMenu(button: HTMLButtonElement, menu: HTMLElement, ...choose: (() => void)[]): void {
  const items = menu.children as HTMLCollectionOf<HTMLElement>;
  const close = () => {
    menu.hidePopover();
    button.focus();
  };
  button.popoverTargetElement = menu;
  menu.ontoggle = ({ newState }) => {
    const open = newState === 'open';
    button.ariaExpanded = `${open}`;
    // Opened with an arrow key, the menu has the focus by now.
    if (open && !menu.matches(':focus-within')) items[0]?.focus();
  };
  menu.onbeforetoggle = () => {
    const { top, bottom, right } = button.getBoundingClientRect();
    const side = bottom > innerHeight - 130 ? `bottom:${innerHeight - top + 4}` : `top:${bottom + 4}`;
    menu.style.cssText = `right:${innerWidth - right}px;${side}px`;
  };
  button.onkeydown = (event) => {
    const at = { ArrowDown: 0, ArrowUp: items.length - 1 }[event.key];
    if (at === undefined) return;
    event.preventDefault();
    menu.showPopover();
    items[at]?.focus();
  };
  menu.onkeydown = (event) => {
    const at = [...items].indexOf(event.target as HTMLElement);
    const last = items.length - 1;
    const next = { ArrowDown: at < last ? at + 1 : 0, ArrowUp: at ? at - 1 : last, Home: 0, End: last }[event.key];
    if (event.key === 'Tab') return close();
    if (next !== undefined) items[next]?.focus();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  menu.onclick = ({ target, isTrusted }) => {
    const chosen = choose[[...items].indexOf(target as HTMLElement)];
    if (!isTrusted || !chosen) return;
    close();
    chosen();
  };
}

/** How much of the launcher is shown: everything, its icon and status in words, or its icon and status as a dot. */
type Size = 'full' | 'status' | 'icon';

/**
 * Keeps the launcher as large as it can be without taking room from the ticket's subject, which stands in the other half
 * of the header and is cut off where it gets too little. Floating it takes no room, but hides what is below.
 * @param setSize shows the launcher in this size
 * @returns to be called with every new place (null: floating), and without one when the launcher's words have changed
 */
function keepRoom(setSize: (size: Size) => void): (place?: Element | null) => void {
  let subject: Element | null | undefined;
  const width = () => subject?.getBoundingClientRect().width ?? 0;
  const choose = () => {
    setSize('icon');
    const wanted = width();
    for (const size of ['full', 'status'] as const) {
      setSize(size);
      // Half a pixel: the browser rounds. None at all is wanted where nothing is left even of the smallest size.
      if (wanted && width() > wanted - 0.5) return;
    }
    setSize('icon');
  };
  const observer = new ResizeObserver(choose);
  return (place) => {
    if (place === undefined) {
      if (subject) choose();
      return;
    }
    observer.disconnect();
    const half = place?.previousElementSibling;
    subject = half?.firstElementChild;
    if (!half || !subject) return setSize(place ? 'icon' : 'status');
    // The half changes with the window and with the page's own buttons, what is in it with the ticket. Both are looked at
    // first of all once the launcher is in.
    observer.observe(half);
    observer.observe(subject);
  };
}
