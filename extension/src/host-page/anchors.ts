import type { PageAnchor } from '@deskside/shared/contract';
import { bridge } from '#messaging/bridge.ts';

/*
 * Where things are on the helpdesk's page, found by what they are: roles, ids that are the fields' names, labels, places
 * in the window. Never by utility classes, which each release renames. What is not found is null, and is reported
 * (docs/operate.md#after-an-update-of-the-helpdesk); nothing else is taken for it. Checked against the pages of 1.24.1,
 * 1.28.1 and the release after it, and 40 mutations of each (anchors.test.ts).
 */

/** The helpdesk has another header and no column in a window narrower than this, in CSS pixels. */
const phoneWidth = 640;

/**
 * What the operator's list of selectors finds (docs/operate.md#after-an-update-of-the-helpdesk). It goes before what is
 * looked for here.
 */
function listed(anchor: PageAnchor): Element | null {
  for (const selector of bridge().anchors?.[anchor] ?? []) {
    try {
      const found = document.querySelector(selector);
      if (found) return found;
    } catch {
      // No selector to this browser.
    }
  }
  return null;
}

/** The child of the body that holds the helpdesk's page, without the menus and dialogs that lie over it. */
export function findApp(): Element | null {
  const inside = listed('app_frame') ?? document.querySelector('#app') ?? document.querySelector('header');
  return inside?.closest('body > *') ?? null;
}

/**
 * Puts the panel's element right behind the app: over the page, and under the menus and dialogs that the helpdesk appends
 * to the body (docs/helpdesk.md#the-ticket-page).
 */
export function insertPanel(element: Element): void {
  const app = findApp();
  if (app) app.after(element);
  else document.body.append(element);
}

/** Where the launcher's button goes: into the header's action area, or floating over the page. Null: no header yet. */
type AnchorPlace = Element | 'floating' | null;

/** The way back to the list of tickets, in the header, and the ticket's status, a button with a menu. */
const [breadcrumb, status] = ['a[href*="/tickets"]', '[aria-haspopup=menu][aria-label]'];

/**
 * Finds the place for the launcher's button: of the header, the whole part that has the status and not the breadcrumb. On a
 * phone there is no room in it.
 */
export function findPlace(): AnchorPlace {
  const part = `header:has(${breadcrumb}) :has(${status}):not(:has(${breadcrumb}))`;
  const found = listed('ticket_header') ?? document.querySelector(part);
  return found && innerWidth < phoneWidth ? 'floating' : found;
}

/**
 * The ticket's fields in the column, by their ids, which are the DocType's, and by their labels in every language that the
 * helpdesk has (its locale/*.po from 1.24.1 to 2026-07), in lower case. The assignee's has no id.
 */
const fields = {
  customer:
    'client|cliente|customer|khách hàng|klant|klijent|kund|kunde|mijoz|müşteri|pelanggan|stranka|zákazník|клиент|клијент|العميل|مشتری|ग्राहक|ลูกค้า|ဝယ်သူ|客户|고객',
  agent_group: 'ekipa|equipo|jamoa|nhóm|nossa equipe|squadra|takım|team|tim|tým|команда|тим|تیم|فريق|टीम|ทีม|团队|팀',
  assignee:
    'asignado|assegnatario|assignee|atanan kişi|beauftragte|beauftragter|cessionnaire|cessionário|dodeljeni korisnik|dodijeljeni|felelős|người được chuyển nhượng|oppdragstaker|penerima tugas|prejemnik|przypisany|příjemce|responsável|tildeler|tilldelad|toegewezene|topshiruvchi|додељени корисник|правопреемник|المُحال إليه|گیرنده تخصیص|संपत्ति-भागी|ผู้รับมอบหมาย|တာဝန်ခံ|负责人',
  ticket_type:
    'chipta turi|ticket type|ticket-typ|tip zahtjeva|tipo de ticket|vrsta tiketa|ärende typ|врста тикета|тип тикета|نوع تیکت|ประเภทตั๋ว|工单类型',
  priority:
    'prednost|prioridad|prioridade|priorita|prioritas|prioriteit|prioritet|priority|priorità|prioritás|priorität|priorité|priorytet|ustuvorlik|öncelik|ưu tiên|приоритет|أفضلية|اولویت|प्राथमिकता|ลำดับความสำคัญ|ဦးစားပေး|优先级',
};
type Field = keyof typeof fields;

/** So many of the fields are in the column; a site may hide some. */
const leastFields = 3;

/**
 * Finds the helpdesk's own column: the tall box at an edge of the window, beside the conversation, that holds the ticket's
 * fields. Two such boxes are none: nobody can tell which it is.
 * @param byLabels also reads the labels, which takes a millisecond
 */
export function findColumn(byLabels: boolean): Element | null {
  const found = listed('ticket_column');
  const app = findApp();
  if (found || !app || innerWidth < phoneWidth) return found;
  const conversation = [...app.querySelectorAll('[role=tablist]')].map((tabs) => tabs.getBoundingClientRect());
  const columns = new Map<Element, Set<Field>>();
  for (const [element, field] of byLabels ? [...namedFields(app), ...labels(app)] : namedFields(app)) {
    const column = columnAround(element, conversation);
    if (column) columns.set(column, (columns.get(column) ?? new Set<Field>()).add(field));
  }
  const [column, other] = [...columns].filter(([, held]) => held.size >= leastFields);
  return column && !other ? column[0] : null;
}

/** What the page shows as the ticket's customer. Null: none. Undefined: it cannot be read. */
export function readCustomer(column = findColumn(false) ?? findColumn(true)): string | null | undefined {
  const field = listed('ticket_fields') ?? (column && fieldIn(column, 'customer'));
  const control = field?.querySelector('input, button, [role=combobox]');
  if (!field || !control) return undefined;
  if (control instanceof HTMLInputElement) return control.value.trim() || null;
  // An empty one has in its button what it says elsewhere to be the placeholder.
  const placeholder = field.closest('[placeholder]')?.getAttribute('placeholder');
  const text = control.textContent.trim();
  return placeholder === undefined ? undefined : text === placeholder || text === '' ? null : text;
}

function fieldIn(column: Element, field: Field): Element | null {
  const named = column.querySelector(`[id="${field}"]`);
  if (named) return named;
  const label = labels(column).find(([, of]) => of === field)?.[0];
  // Its control stands beside it, without another label in between.
  const around = [label?.parentElement, label?.parentElement?.parentElement];
  const fieldBox = around.find((box) => box?.querySelector('input, button, [role=combobox]'));
  return fieldBox && labels(fieldBox).length === 1 ? fieldBox : null;
}

function namedFields(root: Element): [Element, Field][] {
  const ids = Object.keys(fields) as Field[];
  return ids.flatMap((field) =>
    [...root.querySelectorAll(`[id="${field}"]`)].map((e) => [e, field] as [Element, Field]),
  );
}

/** The elements of which the text is a field's label. */
function labels(root: Element): [Element, Field][] {
  const ids = Object.keys(fields) as Field[];
  const fieldOf = new Map(ids.flatMap((field) => fields[field].split('|').map((label) => [label, field] as const)));
  return [...root.querySelectorAll('label, span, div, p, dt')].flatMap((element) => {
    if (element.firstElementChild && element.localName !== 'label') return [];
    const text = element.textContent
      .normalize()
      .toLowerCase()
      .replace(/[\s:*]+$/, '')
      .trim();
    const field = text.length > 40 ? undefined : fieldOf.get(text);
    return field ? [[element, field] as [Element, Field]] : [];
  });
}

/** The outermost column around something; of several boxes of one size, such as wrappers, the innermost. */
function columnAround(inner: Element, conversation: DOMRect[]): Element | null {
  let column: Element | null = null;
  let size = '';
  for (let box = inner.parentElement; box; box = box.parentElement) {
    const rect = box.getBoundingClientRect();
    const isColumn = isTallAtEdge(rect) && conversation.some((other) => isBeside(rect, other));
    if (column && !isColumn) break;
    const { left, top, width, height } = rect;
    const next = [left, top, width, height].map(Math.round).join(' ');
    if (isColumn && next !== size) [column, size] = [box, next];
  }
  return column;
}

/** How far something may end before the edge of the window that it stands at, in CSS pixels: a scroll bar, a margin. */
const slack = 24;

function isTallAtEdge({ left, right, bottom, width, height }: DOMRect): boolean {
  const isTall = height > innerHeight / 2 && bottom > innerHeight - slack;
  return isTall && width > 150 && width < innerWidth * 0.75 && Math.min(left, innerWidth - right) < slack;
}

function isBeside(box: DOMRect, other: DOMRect): boolean {
  const isApart = other.right < box.left + 2 || other.left > box.right - 2;
  return isApart && other.bottom > box.top && other.top < box.bottom;
}
