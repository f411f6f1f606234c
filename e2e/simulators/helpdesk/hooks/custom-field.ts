import { validationError } from '#helpdesk/errors.ts';
import type { Field } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import type { Hooks } from './types.ts';

/** Custom Field: a new one is there at once on every document of its DocType, a changed one counts at once. */
export const customFieldHooks: Hooks = {
  beforeInsert(site, _actor, document) {
    const doctype = site.metadata.get(String(document.dt));
    const label = String(document.label ?? document.fieldname ?? '');
    document.label = label;
    document.fieldname ??= `custom_${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
    document.precision ??= '';
    for (const zero of ['length', 'columns']) document[zero] ??= 0;
    document.idx = doctype.fields.length + 1;
    if (site.metadata.field(doctype, String(document.fieldname)) !== undefined) {
      const name = `<strong>${String(document.fieldname)}</strong>`;
      throw validationError(`A field with the name ${name} already exists in ${doctype.name}`);
    }
  },
  name: (_site, document) => `${String(document.dt)}-${String(document.fieldname)}`,
  afterSave(site, _actor, document, before) {
    const [doctype, modified] = [String(document.dt), String(document.modified)];
    const after = document.insert_after ? String(document.insert_after) : undefined;
    if (before === undefined) site.metadata.addCustomField(doctype, fieldOf(document), after, modified);
    else site.metadata.changeCustomField(doctype, fieldOf(document), modified);
  },
  afterDelete(site, document) {
    site.metadata.removeCustomField(String(document.dt), String(document.fieldname), site.clock.now());
  },
};

function fieldOf(document: StoredDocument): Field {
  return {
    fieldname: String(document.fieldname),
    label: String(document.label),
    fieldtype: String(document.fieldtype),
    ...(document.options ? { options: String(document.options) } : {}),
    reqd: Number(document.reqd ?? 0),
    permlevel: Number(document.permlevel ?? 0),
    read_only: Number(document.read_only ?? 0),
  };
}
