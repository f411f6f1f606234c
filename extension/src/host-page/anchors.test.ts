// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bridge } from '#messaging/bridge.ts';
import { findApp, findColumn, findPlace, readCustomer } from './anchors.ts';

const releases = ['1.24', '1.28', 'next'] as const;

/** The recorded pages have the box of each element in the window; a page from right to left has them mirrored. */
function boxOf(element: Element | null): DOMRect {
  const box = element?.getAttribute('data-box');
  if (element && !box) return boxOf(element.firstElementChild);
  const [left = 0, top = 0, width = 0, height = 0] = box?.split(' ').map(Number) ?? [];
  return new DOMRect(document.dir === 'rtl' ? innerWidth - left - width : left, top, width, height);
}

const measure = Element.prototype.getBoundingClientRect;
beforeEach(() => {
  vi.stubGlobal('innerWidth', 1440);
  vi.stubGlobal('innerHeight', 900);
  // A spy would keep every element that was asked.
  Element.prototype.getBoundingClientRect = function () {
    return boxOf(this);
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
  Element.prototype.getBoundingClientRect = measure;
  delete bridge().anchors;
});

const pages = new Map<string, HTMLElement>();

/** Shows a page as it was recorded from a running Helpdesk. */
function show(release: string, name = 'ticket-agent'): void {
  const file = import.meta.resolve(`@deskside/simulators/recordings/helpdesk-${release}/pages/${name}.html`);
  // Indents, empty icons, and attributes that nothing asks for are most of what would be copied each time.
  const idle =
    /<svg.*?<\/svg>|\n *(?=<)|(?<=>)\n *| (?!class|data-box|id|role|aria|placeholder|href|dir)[\w-]+="[^"]*"/g;
  const html = () => readFileSync(new URL(file), 'utf8').replaceAll(idle, '');
  const read = () => new DOMParser().parseFromString(html(), 'text/html').body;
  const body = pages.get(file) ?? read();
  pages.set(file, body);
  document.body.replaceWith(document.importNode(body, true));
  document.documentElement.dir = '';
}

function one(selector: string): Element {
  const found = document.querySelector(selector);
  if (!found) throw new Error(`The recorded page has no ${selector}.`);
  return found;
}
/** Where the recorded pages have what is looked for. */
const recorded = {
  column: () => one('.comm-area').parentElement?.nextElementSibling as Element,
  actions: () => one('div#app-header header > div:last-child'),
};

describe.each(releases)('Helpdesk %s', (release) => {
  test('column, customer, action area and app are where they were recorded', () => {
    show(release);
    expect(findColumn(false)).toBe(recorded.column());
    expect(findColumn(true)).toBe(recorded.column());
    expect(findPlace()).toBe(recorded.actions());
    expect(findApp()).toBe(one('#app'));
    expect(readCustomer()).toBe(recorded.column().querySelector('#customer button')?.textContent.trim());
  });

  test('an empty customer is none, and one without its button is unknown', () => {
    show(release);
    const field = one('#customer');
    const span = field.querySelector('button span') as Element;
    span.textContent = field.getAttribute('placeholder');
    expect(readCustomer()).toBeNull();
    field.querySelector('button')?.remove();
    expect(readCustomer()).toBeUndefined();
    field.insertAdjacentHTML('beforeend', '<div><input role="combobox" value="Shop A" placeholder="Customer"></div>');
    expect(readCustomer()).toBe('Shop A');
  });

  test('the list, the form, the portal and a phone have no column', () => {
    for (const page of ['ticket-list', 'ticket-new', 'ticket-portal']) {
      show(release, page);
      expect(findColumn(true), page).toBeNull();
    }
    show(release, 'ticket-agent-mobile');
    vi.stubGlobal('innerWidth', 420);
    expect(findColumn(true)).toBeNull();
    expect(findPlace()).toBe('floating');
  });

  test('40 mutations: everything is found or reported, and nothing else is taken for it', async () => {
    const figures = { found: 0, reported: 0, wrong: 0 };
    show(release);
    const customer = readCustomer();
    for (let seed = 1; seed <= 40; seed += 1) {
      // What a weak reference has named is kept to the end of a task: here, all that were shown before.
      await new Promise(setImmediate);
      show(release);
      const [column, actions] = [recorded.column(), recorded.actions()];
      const { isFindable, log } = mutate(seed);
      const found = findColumn(false) ?? findColumn(true);
      const isRight = found !== null && isSameBox(found, column) && found.contains(one('[data-was=customer]'));
      const place = findPlace();
      const isPlace = place instanceof Element && place.contains(actions) && !place.querySelector('a[href*=tickets]');
      expect(place === null || isPlace, `seed ${seed}, header: ${log}`).toBe(true);
      expect(isRight ? [customer] : [undefined, customer], `seed ${seed}, customer: ${log}`).toContain(readCustomer());
      if (found && !isRight) figures.wrong += 1;
      else figures[found ? 'found' : 'reported'] += 1;
      if (isFindable) expect(isRight && isPlace, `seed ${seed}: ${log}`).toBe(true);
    }
    expect(figures.wrong).toBe(0);
    expect(figures.found + figures.reported).toBe(40);
    expect(figures.found).toBeGreaterThan(20);
    expect(figures.reported).toBeGreaterThan(3);
  });
});

test('a page without a header has no place yet', () => {
  document.body.innerHTML = '<div id=app></div>';
  expect(findPlace()).toBeNull();
});

test('selectors of the operator go first; what is no selector is passed over', () => {
  show('1.28');
  for (const field of document.querySelectorAll('.form-control-core')) field.remove();
  one('header [aria-haspopup=menu][aria-label]').remove();
  expect([findColumn(true), findPlace(), readCustomer()]).toEqual([null, null, undefined]);
  bridge().anchors = {
    ticket_column: [':-bad(', '.missing', '.comm-area', 'header'],
    ticket_header: ['header'],
    app_frame: ['#modals'],
  };
  expect(findColumn(false)).toBe(one('.comm-area'));
  expect(findPlace()).toBe(one('header'));
  expect(findApp()).toBe(one('#modals'));
});

function isSameBox(a: Element, b: Element): boolean {
  const [one, other] = [boxOf(a), boxOf(b)];
  return (['left', 'top', 'width', 'height'] as const).every((side) => Math.abs(one[side] - other[side]) <= 1);
}

/** The labels in some of the helpdesk's languages: Vietnamese, German, Arabic, Chinese, Swedish, Russian. */
const languages = [
  ['Khách hàng', 'Nhóm', 'Người được chuyển nhượng', 'Ticket Type', 'Ưu tiên'],
  ['Kunde', 'Team', 'Beauftragter', 'Ticket-Typ', 'Priorität'],
  ['العميل', 'فريق', 'المُحال إليه', 'Ticket Type', 'أفضلية'],
  ['客户', '团队', '负责人', '工单类型', '优先级'],
  ['Kund', 'Team', 'Tilldelad', 'Ärende Typ', 'Prioritet'],
  ['Клиент', 'Команда', 'Правопреемник', 'Тип тикета', 'Приоритет'],
];
const english = ['Customer', 'Team', 'Assignee', 'Ticket Type', 'Priority'];

/**
 * Changes the page as a release might, by a seed.
 * @returns whether everything can still be found: its fields are there, and nothing stands between it and the window's edge
 */
function mutate(seed: number): { isFindable: boolean; log: string } {
  // mulberry32
  let state = seed * 0x9e3779b9;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const chance = (part: number) => random() < part;
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const all = () => [...document.querySelectorAll('#app, #app *')];
  const boxes = all().filter((element) => !element.closest('svg, label, button'));
  const log: string[] = [];
  const maybe = (name: string, part: number, change: () => void) => {
    if (!chance(part)) return false;
    log.push(name);
    change();
    return true;
  };
  for (const id of ['customer', 'agent_group', 'priority', 'ticket_type']) one(`#${id}`).setAttribute('data-was', id);
  const column = recorded.column();

  maybe('labels', 0.6, () => {
    const language = pick(languages);
    for (const leaf of column.querySelectorAll('label, span')) {
      const at = english.indexOf(leaf.textContent.trim());
      if (at >= 0) leaf.textContent = language[at] ?? '';
    }
  });
  maybe('no ids', 0.3, () => {
    for (const field of document.querySelectorAll('[data-was]')) field.removeAttribute('id');
  });
  maybe('wrappers', 0.7, () => {
    for (let left = 1 + Math.floor(random() * 25); left > 0; left -= 1) {
      const inner = pick(boxes);
      const wrapper = document.createElement(pick(['div', 'section', 'main']));
      inner.replaceWith(wrapper);
      wrapper.append(inner);
    }
  });
  maybe('order', 0.6, () => {
    for (let left = 1 + Math.floor(random() * 20); left > 0; left -= 1) {
      const parent = pick(boxes.filter((e) => e.children.length > 1));
      parent.append(...[...parent.children].sort(() => random() - 0.5));
    }
  });
  maybe('right to left', 0.4, () => {
    document.documentElement.dir = 'rtl';
  });
  maybe('fields quoted in a message', 0.3, () => {
    const quoted = [...column.querySelectorAll('[data-was]')].map((field) => field.cloneNode(true) as Element);
    for (const inside of quoted.flatMap((field) => [field, ...field.querySelectorAll('*')])) {
      inside.removeAttribute('data-was');
      inside.setAttribute('data-box', '300 300 400 40');
    }
    one('[role=tabpanel]').append(...quoted);
  });
  maybe('a dialog with fields', 0.2, () => {
    const dialog = document.createElement('div');
    dialog.setAttribute('data-box', '1000 100 440 800');
    dialog.innerHTML = '<label>Customer</label><label>Team</label><label>Assignee</label>';
    document.body.append(dialog);
  });
  const isHidden = maybe('fields gone', 0.1, () => {
    for (const field of column.querySelectorAll('[data-was=agent_group], [data-was=priority], [data-was=ticket_type]'))
      field.remove();
  });
  const isInside = maybe('another column at the edge', 0.15, () => {
    const other = document.createElement('div');
    other.setAttribute('data-box', '1140 78 300 822');
    other.innerHTML = '<h2>Assistant</h2><label>Team</label><span>Similar tickets</span>';
    for (const child of other.children) child.setAttribute('data-box', '1150 100 280 20');
    for (const part of [column, ...column.querySelectorAll('[data-box]')]) {
      const { x, y, width, height } = boxOf(part);
      const left = document.dir === 'rtl' ? innerWidth - x - width : x;
      part.setAttribute('data-box', [left - 300, y, width, height].join(' '));
    }
    for (const part of document.querySelectorAll('[role=tablist], [role=tabpanel]'))
      part.setAttribute('data-box', part.getAttribute('data-box')?.replace(/^(\S+ \S+) \S+/, '$1 548') ?? '');
    column.after(other);
  });
  maybe('classes', 0.8, () => {
    const renamed = (name: string) => `c${[...name].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) | 0, seed)}`;
    for (const element of all()) element.setAttribute('class', element.className.replace(/\S+/g, renamed));
  });
  return { isFindable: !isHidden && !isInside, log: log.join(', ') };
}
