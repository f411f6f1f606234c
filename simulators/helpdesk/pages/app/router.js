const base = '/helpdesk';
let show = async () => {};
let leaving = new AbortController();

/** The address without the base, for example `/tickets/2`. */
function currentPath() {
  return decodeURI(location.pathname).slice(base.length) || '/';
}

/** Starts routing: `render(path, signal)` is called for every address, with a signal that ends when it is left. */
export function startRouter(render) {
  show = render;
  addEventListener('popstate', enter);
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="/helpdesk"]') : null;
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (link === null || !plain || event.defaultPrevented) return;
    event.preventDefault();
    navigate(link.getAttribute('href'));
  });
  return enter();
}

/** Goes to an address of the page by pushState. */
export function navigate(href, { replace = false } = {}) {
  if (href === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState']({}, '', href);
  enter();
}

/** Shows the present address again. */
export function reload() {
  return enter();
}

function enter() {
  leaving.abort();
  leaving = new AbortController();
  return show(currentPath(), leaving.signal);
}

export const ticketHref = (name, portal = false) =>
  `${base}/${portal ? 'my-tickets' : 'tickets'}/${encodeURIComponent(name)}`;
