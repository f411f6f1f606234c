import { textsFor } from '@deskside/extension/texts';
import { contract } from '@deskside/shared/contract';
import { demo } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import { expect, ownTab, test } from './setup/fixtures.ts';
import type { Gateway } from './setup/gateway.ts';

// What a script in the helpdesk's page may try (docs/security.md). These builds have open shadow roots, so it can reach more
// here than in a browser that an agent uses: what is refused here is refused there.

test.use(ownTab);

const ticket = demo.tickets.claimed;
const company = 'Gốm Sứ Làng Mơ';
const t = textsFor('en');

type ExtensionWorld = { chrome: { storage: Record<'local' | 'session', { get(): Promise<object> }> } };

/** Notes what the extension asks for from now on. */
function noteAsked(gateway: Gateway): string[] {
  const asked: string[] = [];
  gateway.answer = (path) => {
    asked.push(path);
    return null;
  };
  return asked;
}

const pathOf = (asked: string) => new URL(asked, 'http://proxy.invalid').pathname;
/** A profile again whose parts are still on their way. */
const isFollowUp = (asked: string) => asked.startsWith(contract.customerProfile.path) && !asked.includes('refresh=1');

/** Before anything of the page runs: built-in functions that tell what passes through them. */
async function tamperWithBuiltIns(page: Page, secrets: string[]): Promise<void> {
  await page.addInitScript((secrets) => {
    const told = { calls: 0, leaks: [] as string[] };
    Object.assign(window, { told });
    let noting = false;
    const note = (values: unknown[]) => {
      // What it uses itself is tampered with, too.
      if (noting) return;
      noting = true;
      for (let at = 0; at < values.length; at += 1) {
        const value = values[at];
        if (typeof value !== 'string' && !(value instanceof String)) continue;
        told.calls += 1;
        for (let nth = 0; nth < secrets.length; nth += 1)
          if (told.leaks.length < 5 && value.indexOf(secrets[nth] ?? '') >= 0)
            told.leaks[told.leaks.length] = `${value}`;
      }
      noting = false;
    };
    const spy = (owner: object, name: string) => {
      const own = owner as Record<string, (...args: unknown[]) => unknown>;
      const original = own[name];
      if (!original) return;
      own[name] = function (this: unknown, ...args: unknown[]) {
        note([this, ...args]);
        return original.apply(this, args);
      };
    };
    for (const name of ['attachShadow', 'setAttribute', 'append', 'appendChild', 'insertBefore'])
      spy(Element.prototype, name);
    for (const name of ['createElement', 'createTextNode']) spy(Document.prototype, name);
    for (const name of ['then']) spy(Promise.prototype, name);
    for (const name of ['push', 'map', 'join']) spy(Array.prototype, name);
    for (const name of ['parse', 'stringify']) spy(JSON, name);
    for (const name of ['trim', 'replace', 'split']) spy(String.prototype, name);
    spy(window, 'fetch');
    spy(MessagePort.prototype, 'postMessage');
    for (const type of ['message', 'keydown', 'input', 'copy', 'deskside', 'deskside-panel'])
      addEventListener(type, (event) => note([(event as MessageEvent).data]), true);
  }, secrets);
}

/** Messages and events such as scripts of one page send each other, with every request that the extension knows. */
async function forgeMessages(page: Page, name: string): Promise<void> {
  await page.evaluate(async (ticket) => {
    const target = { ticket, company_id: '200000376001', bitrix_id: '63002', call: 'c', adopt: null };
    const inputs: Record<string, object> = {
      'profile.get': { ticket, refresh: true, call: 'c', maxAgeMs: 0 },
      'around.get': { ticket, call: 'c' },
      'routing.get': { ticket, call: 'c' },
      'sync.preview': target,
      'sync.apply': { ...target, expected_customer: '' },
      'sync.undo': { ticket, sync_id: '1' },
      'session.signIn': {},
      'options.saveAddresses': { helpdesk: null, proxy: null },
      'panel.toggle': {},
    };
    const channel = new BroadcastChannel('deskside');
    const hosts = [...document.querySelectorAll('deskside-panel, deskside-launcher')];
    const targets = [window, document, document.documentElement, document.body, ...hosts];
    const world = window as unknown as Record<PropertyKey, unknown>;
    for (const [deskside, input] of Object.entries(inputs)) {
      const message = { deskside, input, user: 'an@support.example' };
      window.postMessage(message, '*');
      channel.postMessage(message);
      for (const one of targets) {
        for (const type of [deskside, 'deskside', 'message', 'runtime.onMessage'])
          one.dispatchEvent(new CustomEvent(type, { detail: message, bubbles: true, composed: true }));
        one.dispatchEvent(new MessageEvent('message', { data: message, origin: location.origin }));
      }
      (world.chrome as { runtime?: { sendMessage?(m: object): void } } | undefined)?.runtime?.sendMessage?.(message);
    }
    // What launcher and panel share is in their own world.
    for (const key of ['deskside.bridge', 'deskside.launcher']) {
      if (Symbol.for(key) in window) throw new Error('The page sees what launcher and panel share.');
      world[Symbol.for(key)] = { panel: { open: () => {}, isOpen: true }, launcher: { setStatus: () => {} } };
    }
    channel.close();
    await new Promise((sent) => setTimeout(sent));
  }, name);
}

/** Clicks and keys made by a script, on the hosts and on every button inside that would write or open something. */
async function forgeInput(page: Page, labels: string[]): Promise<void> {
  await page.evaluate((labels) => {
    const hosts = [...document.querySelectorAll('deskside-panel, deskside-launcher')];
    const inside = hosts.flatMap((host) => [...(host.shadowRoot?.querySelectorAll<HTMLElement>('button') ?? [])]);
    const buttons = inside.filter((button) => {
      const isLauncher = (button.getRootNode() as ShadowRoot).host.localName === 'deskside-launcher';
      return isLauncher || labels.includes(button.textContent ?? '');
    });
    const all = { bubbles: true, composed: true, cancelable: true };
    for (const target of [...hosts, ...buttons] as HTMLElement[]) {
      target.click();
      for (const type of ['pointerdown', 'pointerup', 'pointerenter'])
        target.dispatchEvent(new PointerEvent(type, { ...all, isPrimary: true }));
      for (const type of ['mousedown', 'mouseup', 'click'])
        target.dispatchEvent(new MouseEvent(type, { ...all, detail: 1 }));
      target.focus();
      for (const key of ['Enter', ' ', 'ArrowDown', 'k'])
        for (const type of ['keydown', 'keypress', 'keyup'])
          target.dispatchEvent(new KeyboardEvent(type, { ...all, key, altKey: key === 'k', shiftKey: key === 'k' }));
      target.dispatchEvent(new SubmitEvent('submit', all));
    }
  }, labels);
}

test('a script of the page opens, asks, does and learns nothing, however it forges, frames, moves and restyles', async ({
  context,
  page,
  panel,
  world,
  gateway,
}) => {
  const { confirmButton } = panel;
  const customer = () => world.helpdesk.document('HD Ticket', ticket)?.customer ?? null;
  await tamperWithBuiltIns(page, ['OMNI SCALE', 'owner@gomlangmo.example', 'Bearer ']);

  await test.step('it can neither open the panel nor make the extension ask', async () => {
    const asked = noteAsked(gateway);
    await panel.goto(ticket);
    await expect(panel.launcher.locator('b')).not.toBeEmpty();
    // A click opens the panel and the next one closes it: had these counted, a person's click after them would close it.
    await page.evaluate(() => {
      const button = document.querySelector('deskside-launcher')?.shadowRoot?.querySelector('button');
      button?.click();
      button?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
      button?.dispatchEvent(new PointerEvent('click', { bubbles: true, composed: true, detail: 1 }));
    });
    await panel.launcher.click();
    await panel.settled();
    // Only an open panel asks for this, and once.
    await expect.poll(() => asked.map(pathOf).filter((path) => path === contract.aroundTicket.path)).toHaveLength(1);
    expect(
      await page.evaluate(() => 'chrome' in window && 'runtime' in (window as unknown as { chrome: object }).chrome),
    ).toBe(false);
  });

  await test.step('forged messages, events, clicks and keys: nothing is asked, nothing is done, nothing is told', async () => {
    await expect(panel.rail).toContainText(company);
    await panel.startSync();
    await expect(confirmButton).toBeEnabled();
    const asked = noteAsked(gateway);
    await forgeMessages(page, ticket);
    await forgeInput(page, [t.sync.itsThem, t.sync.update, t.steps.itsThem]);
    await expect(confirmButton).toBeVisible();
    // What an agent does now is asked after whatever a script has set off.
    await panel.button(t.shell.cancel).press('Enter');
    await panel.startSync();
    await expect(confirmButton).toBeEnabled();
    expect(asked.filter((one) => !isFollowUp(one)).map(pathOf)).toEqual([contract.syncTicketCustomer.path]);
    expect(customer()).toBeNull();
    const told = await page.evaluate(() => (window as unknown as { told: { calls: number; leaks: string[] } }).told);
    expect(told.calls).toBeGreaterThan(0);
    expect(told.leaks).toEqual([]);
  });

  await test.step('there is no secret to find, neither in the page, nor in the panel, nor in what the extension keeps', async () => {
    const kept = await context.serviceWorkers()[0]?.evaluate(async () => {
      const { storage } = (globalThis as unknown as ExtensionWorld).chrome;
      return JSON.stringify(await Promise.all([storage.local.get(), storage.session.get()]));
    });
    const shown = await page.evaluate(
      () =>
        document.documentElement.outerHTML +
        [...document.querySelectorAll('*')].map((e) => e.shadowRoot?.innerHTML ?? '').join(''),
    );
    expect(shown).toContain(company);
    for (const secret of [...world.crm.secrets, demo.service.apiSecret, demo.agent.apiSecret]) {
      expect(shown).not.toContain(secret);
      expect(kept).not.toContain(secret);
    }
    expect(shown).not.toContain('/rest/');
  });

  await test.step('hosts that it removes, moves, clones, restyles: no click goes through unseen, and the panel comes back', async () => {
    // The page cannot style the host itself.
    const look = await page.evaluate(() => {
      const panel = document.querySelector('deskside-panel') as HTMLElement;
      panel.style.cssText =
        'opacity:.01!important;filter:blur(9px)!important;transform:scale(2)!important;display:none!important';
      for (const name of ['hidden', 'inert', 'popover', 'slot', 'class', 'id', 'is', 'part'])
        panel.setAttribute(name, '');
      const { opacity, filter, transform, display } = getComputedStyle(panel);
      for (const name of panel.getAttributeNames()) panel.removeAttribute(name);
      return { opacity, filter, transform, display };
    });
    expect(look).toMatchObject({ opacity: '1', filter: 'none', transform: 'none' });
    expect(look.display).not.toBe('none');

    // But it can put it into something of its own, and move what is in full view under the pointer. Here it never rests, so
    // that no test has to be fast.
    await page.evaluate(() => {
      const wrapper = document.createElement('div');
      wrapper.id = 'wrapper';
      wrapper.append(document.querySelector('deskside-panel') as HTMLElement);
      document.body.append(wrapper);
      wrapper.style.cssText = 'position:fixed;inset:0';
      const move = () => {
        wrapper.style.translate = `${Math.round(Math.random() * 16) - 8}px ${Math.round(Math.random() * 8) - 4}px`;
        requestAnimationFrame(move);
      };
      move();
    });
    // A click where the button is, as a person makes it who sees something else there.
    await confirmButton.evaluate((button) => button.scrollIntoView({ block: 'center' }));
    const { x = 0, y = 0, width = 0, height = 0 } = (await confirmButton.boundingBox()) ?? {};
    expect(width).toBeGreaterThan(0);
    await page.mouse.click(x + width / 2, y + height / 2);
    await expect(panel.rail.getByRole('alert').first()).toHaveText(t.shell.covered);
    expect(customer()).toBeNull();

    // Clones are empty, and a panel that was thrown away is back at the next press of the button.
    const shown = await page.evaluate(() => {
      const panel = document.querySelector('deskside-panel');
      const clone = panel?.cloneNode(true) as HTMLElement;
      document.body.append(clone);
      const text = [clone.outerHTML, clone.shadowRoot?.textContent ?? ''].join();
      clone.remove();
      document.querySelector('#wrapper')?.remove();
      document.querySelector('deskside-launcher')?.remove();
      return text;
    });
    expect(shown).not.toContain(company);
    await panel.launcher.click();
    await expect(panel.rail).toContainText(company);
    expect(customer()).toBeNull();
  });

  await test.step('frames that show a ticket get no launcher, no panel and no answer', async () => {
    await panel.goto(demo.tickets.missingOrgId);
    const asked = noteAsked(gateway);
    await page.evaluate(async (other) => {
      const frameOf = async (src: string) => {
        const frame = Object.assign(document.createElement('iframe'), { src });
        frame.style.cssText = 'position:fixed;inset:0;width:900px;height:700px';
        await new Promise((loaded) => {
          frame.onload = loaded;
          document.body.append(frame);
        });
        return frame;
      };
      await frameOf(other);
      // A page of the helpdesk in a frame that comes to show the ticket later.
      const later = await frameOf('/helpdesk/tickets');
      later.contentWindow?.history.pushState(null, '', other);
    }, panel.url(ticket));
    const inner = page.frames().find((frame) => frame.url().endsWith(`/${ticket}`));
    await inner?.locator('#app-header header').waitFor();
    // The page's own launcher begins anew only now: those of the frames would have had their answers before it.
    await panel.moveTo(demo.tickets.planExpired);
    await expect(panel.launcher.locator('b')).not.toBeEmpty();
    for (const frame of [0, 1])
      await expect(page.frameLocator('iframe').nth(frame).locator('deskside-launcher, deskside-panel')).toHaveCount(0);
    expect(asked.filter((path) => path.includes(ticket))).toEqual([]);
  });
});
