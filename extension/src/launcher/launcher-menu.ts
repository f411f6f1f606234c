/**
 * Turns a button and an element with `popover`, whose children are the items, into a menu button: arrow keys, Home and
 * End move, Escape closes and gives the focus back to the button, Tab goes on from there.
 *
 * Hidden items are passed over.
 *
 * @param choose the actions of the items, in their order
 */
export function addMenu(button: HTMLButtonElement, menu: HTMLElement, ...choose: (() => void)[]): void {
  const all = [...menu.children] as HTMLElement[];
  const shown = () => all.filter(({ hidden }) => !hidden);
  const close = () => {
    menu.hidePopover();
    button.focus();
  };
  button.popoverTargetElement = menu;
  menu.ontoggle = ({ newState }) => {
    const open = newState === 'open';
    button.ariaExpanded = `${open}`;
    // Opened with an arrow key, the menu has the focus by now.
    if (open && !menu.matches(':focus-within')) all[0]?.focus();
  };
  menu.onbeforetoggle = () => {
    const { top, bottom, right } = button.getBoundingClientRect();
    const side = bottom > innerHeight - 130 ? `bottom:${innerHeight - top + 4}` : `top:${bottom + 4}`;
    menu.style.cssText = `right:${innerWidth - right}px;${side}px`;
  };
  button.onkeydown = (event) => {
    const at = { ArrowDown: 0, ArrowUp: -1 }[event.key];
    if (at === undefined) return;
    event.preventDefault();
    menu.showPopover();
    shown().at(at)?.focus();
  };
  menu.onkeydown = (event) => {
    const items = shown();
    const last = items.length - 1;
    const at = items.indexOf(event.target as HTMLElement);
    const next = { ArrowDown: at < last ? at + 1 : 0, ArrowUp: at ? at - 1 : last, Home: 0, End: last }[event.key];
    if (event.key === 'Tab') return close();
    if (next !== undefined) items[next]?.focus();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  for (const [at, item] of all.entries()) {
    item.tabIndex = -1;
    item.onclick = ({ isTrusted }) => {
      if (!isTrusted) return;
      close();
      choose[at]?.();
    };
  }
}
