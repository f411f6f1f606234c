import { list } from './api.js';

let colors;

/** Statuses and their colours, read once; a portal customer of 1.28 sees them too. */
export function statuses() {
  colors ??= list('HD Ticket Status', { fields: ['name', 'color'], orderBy: 'order asc' })
    .then((rows) => new Map(rows.map((row) => [row.name, row.color])))
    .catch(() => new Map());
  return colors;
}

const names = new Map();

/** The names of all documents of a DocType, read once per page. */
export function namesOf(doctype) {
  if (!names.has(doctype)) {
    const reading = list(doctype, { fields: ['name'] })
      .then((rows) => rows.map((row) => String(row.name)))
      .catch(() => []);
    names.set(doctype, reading);
  }
  return names.get(doctype);
}

let order;

/** Names of the tickets in the order in which previous and next go; read again for one that is not among them. */
export async function ticketOrder(name) {
  if (order?.includes(name) !== true) {
    const rows = await list('HD Ticket', { fields: ['name'], orderBy: 'creation desc' });
    order = rows.map((row) => String(row.name));
  }
  return order;
}
