/** Keys that the real page reacts to, one by one, without a modifier other than the one named. */
const keys = ['s', 'a', 't', 'p', 'r', 'c', '/', 'Shift+T', 'Shift+<', 'Shift+>', 'Mod+K', 'Mod+/', 'H', ',', '.'];

/** Every shortcut that fired, so that tests can tell whether typing elsewhere reached the page. */
window.__shortcuts = [];

let actions = {};

/** Actions of the present view, by key; keys without one are noted all the same. */
export function setShortcuts(next) {
  actions = next;
}

/** Inputs of the page itself are left alone. A shadow root hides its inputs: only its host is seen here. */
function isTyping(target) {
  return (
    target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable)
  );
}

function nameOf(event) {
  const letter = event.key.length === 1 ? event.key : '';
  if (letter === '') return undefined;
  if (event.ctrlKey || event.metaKey) return `Mod+${letter.toUpperCase()}`;
  if (event.altKey) return undefined;
  if (event.shiftKey && letter.toLowerCase() === 'h') return 'H';
  return event.shiftKey && letter !== '/' ? `Shift+${letter.toUpperCase()}` : letter;
}

export function startShortcuts() {
  document.addEventListener('keydown', (event) => {
    if (isTyping(event.target)) return;
    const name = nameOf(event);
    if (!keys.includes(name)) return;
    window.__shortcuts.push(name);
    event.preventDefault();
    actions[name]?.();
  });
}
