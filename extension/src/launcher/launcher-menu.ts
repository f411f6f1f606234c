/**
 * Turns a button and an element with `popover`, whose children are the items, into a menu button: arrow keys, Home and
 * End move, Escape and Tab close, and the focus returns to the button.
 *
 * @param choose the actions of the items, in their order
 */
export function addMenu(button: HTMLButtonElement, menu: HTMLElement, ...choose: (() => void)[]): void {
  const items = [...menu.children] as HTMLElement[];
  const last = items.length - 1;
  const close = () => {
    menu.hidePopover();
    button.focus();
  };
  button.popoverTargetElement = menu;
  menu.ontoggle = ({ newState }) => {
    const open = newState === 'open';
    button.ariaExpanded = `${open}`;
    if (open) items[0]?.focus();
  };
  menu.onbeforetoggle = () => {
    const { top, bottom, right } = button.getBoundingClientRect();
    const side = bottom > innerHeight - 130 ? `bottom:${innerHeight - top + 4}` : `top:${bottom + 4}`;
    menu.style.cssText = `right:${innerWidth - right}px;${side}px`;
  };
  button.onkeydown = (event) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    menu.showPopover();
  };
  menu.onkeydown = (event) => {
    const at = items.indexOf(event.target as HTMLElement);
    const next = { ArrowDown: at < last ? at + 1 : 0, ArrowUp: at ? at - 1 : last, Home: 0, End: last }[event.key];
    if (next !== undefined) items[next]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
  };
  for (const [at, item] of items.entries()) {
    item.tabIndex = -1;
    item.onclick = ({ isTrusted }) => {
      if (!isTrusted) return;
      close();
      choose[at]?.();
    };
  }
}
