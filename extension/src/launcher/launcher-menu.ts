/**
 * Turns a button and an element with `popover`, whose children are the items, into a menu button: arrow keys, Home and
 * End move, Escape closes and gives the focus back to the button, Tab goes on from there.
 *
 * An item that is taken away, or put back at the end, is so for the keys too.
 *
 * @param choose the actions of the items, in their order
 */
export function addMenu(button: HTMLButtonElement, menu: HTMLElement, ...choose: (() => void)[]): void {
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
