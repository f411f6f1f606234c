import { validationError } from '#helpdesk/errors.ts';
import { childRows } from '#helpdesk/site/site.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import type { Hooks } from './types.ts';

/** Contact: names, primary address and numbers are drawn together from its parts and rows. */
export const contactHooks: Hooks = {
  beforeInsert(_site, _actor, document) {
    document.image ??= '';
    collect(document);
  },
  name(_site, document) {
    const base = String(document.full_name || document.email_id || '');
    if (base === '') throw validationError('Please set a name for the contact');
    const [link] = childRows(document, 'links');
    return link === undefined ? base : `${base}-${String(link.link_name).trim()}`;
  },
  validate(_site, _actor, document) {
    collect(document);
  },
};

function collect(document: StoredDocument): void {
  const parts = [document.first_name, document.middle_name, document.last_name];
  document.full_name = parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
  const emails = childRows(document, 'email_ids');
  document.email_id = String((emails.find((row) => row.is_primary === 1) ?? emails[0])?.email_id ?? '').toLowerCase();
  const phones = childRows(document, 'phone_nos');
  document.phone = phones.find((row) => row.is_primary_phone === 1)?.phone ?? '';
  document.mobile_no = phones.find((row) => row.is_primary_mobile_no === 1)?.phone ?? '';
  for (const link of childRows(document, 'links')) link.link_title ??= link.link_name;
}
