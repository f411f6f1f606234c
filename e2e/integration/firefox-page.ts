import { expect } from 'vitest';
import type { Firefox } from '../browser/firefox.ts';

interface Node {
  sharedId: string;
}
interface Tree {
  contexts: { context: string; url: string }[];
}

/**
 * What has this name, can be pressed and stays where it is: a press on what is just moving hits something else. Not by the
 * browser's own tree of roles and names: what was looked for before it was there Firefox may never find in it.
 */
const finding = `async (root, selector, name) => {
  const isIt = (one) => name === null || (one.ariaLabel ?? one.textContent.trim()) === name;
  const found = [...(root ?? document).querySelectorAll(selector)].find(
    (one) => one.checkVisibility() && !one.disabled && isIt(one),
  );
  const place = () => JSON.stringify(found?.getBoundingClientRect());
  const before = place();
  await new Promise((resolve) => setTimeout(resolve, 300));
  return found?.isConnected && place() === before ? found : null;
}`;

/** A tab of Firefox, as a person finds things in it: by role and name, and by what can be read. */
export class FirefoxPage {
  readonly #firefox: Firefox;
  readonly #context: string;

  constructor(firefox: Firefox, context: string) {
    this.#firefox = firefox;
    this.#context = context;
  }

  /** The tab whose address begins like this, once there is one. */
  static async at(firefox: Firefox, address: string): Promise<FirefoxPage> {
    let found: string | undefined;
    await expect
      .poll(async () => {
        const { contexts } = await firefox.send<Tree>('browsingContext.getTree', {});
        found = contexts.find(({ url }) => url.startsWith(address))?.context;
        return found;
      })
      .toBeDefined();
    return new FirefoxPage(firefox, found ?? '');
  }

  goto(url: string): Promise<unknown> {
    return this.#firefox.send('browsingContext.navigate', { context: this.#context, url, wait: 'interactive' });
  }

  /** What can be read on the page, or in the closed shadow root of an element of that name. */
  async text(host?: string): Promise<string> {
    const root = host ? await this.#shadowRoot(host) : undefined;
    if (host && !root) return '';
    const body = '(root) => (root ?? document.body).textContent';
    return (await this.#call<{ value: string }>(body, root ? [root] : [])).value;
  }

  /** Whether an element of that name is there and not hidden. */
  async isShown(host: string): Promise<boolean> {
    const body = '(name) => document.querySelector(name)?.checkVisibility() ?? false';
    return (await this.#call<{ value: boolean }>(body, [{ type: 'string', value: host }])).value;
  }

  /** Presses what has this role and name, once it is there; in the shadow root of `host`, where one is given. */
  async press(role: 'button' | 'link', name: string | null, host?: string): Promise<void> {
    let found: Node | undefined;
    await expect
      .poll(async () => {
        const root = host ? await this.#shadowRoot(host) : undefined;
        if (host && !root) return undefined;
        const { sharedId } = await this.#call<Partial<Node>>(finding, [
          root ?? { type: 'null' },
          { type: 'string', value: role === 'link' ? 'a[href]' : 'button' },
          name === null ? { type: 'null' } : { type: 'string', value: name },
        ]);
        found = sharedId === undefined ? undefined : { sharedId };
        return found;
      })
      .toBeDefined();
    const origin = { type: 'element', element: { sharedId: found?.sharedId } };
    await this.#act('pointer', [
      { type: 'pointerMove', x: 0, y: 0, origin },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]);
  }

  /** Types into whatever has the focus. */
  type(text: string): Promise<unknown> {
    const keys = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    return this.#act('key', keys);
  }

  #act(type: 'key' | 'pointer', actions: object[]): Promise<unknown> {
    const context = this.#context;
    return this.#firefox.send('input.performActions', { context, actions: [{ type, id: type, actions }] });
  }

  /** The protocol shows closed shadow roots too. */
  async #shadowRoot(host: string): Promise<Node | undefined> {
    const body = '(name) => document.querySelector(name)';
    const element = await this.#call<{ value?: { shadowRoot: Node | null } }>(body, [{ type: 'string', value: host }]);
    const root = element.value?.shadowRoot;
    return root ? { sharedId: root.sharedId } : undefined;
  }

  async #call<T>(functionDeclaration: string, args: object[]): Promise<T> {
    const { result } = await this.#firefox.send<{ result: T }>('script.callFunction', {
      functionDeclaration,
      arguments: args,
      target: { context: this.#context },
      awaitPromise: true,
      serializationOptions: { includeShadowTree: 'all', maxDomDepth: 1 },
    });
    return result;
  }
}
