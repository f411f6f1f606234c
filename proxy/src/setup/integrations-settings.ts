import type { HelpdeskAdmin } from '#helpdesk/admin.ts';

const doctype = 'Integrations Settings';

/** A value that the helpdesk holds for one of our settings. */
interface ImportedSetting {
  name:
    | 'CRM_WEBHOOK_URL'
    | 'CRM_RESPONSIBLE_WEBHOOK_URL'
    | 'CRM_PORTAL_URL'
    | 'CRM_TIMEOUT_SECONDS'
    | 'CRM_REFRESH_TTL_MINUTES'
    | 'CRM_ENABLED';
  /** The field that it comes from. */
  field: string;
  value: string;
}

const fields: readonly { name: ImportedSetting['name']; field: string; read: (value: unknown) => string | null }[] = [
  { name: 'CRM_WEBHOOK_URL', field: 'crm_webhook_url', read: text },
  { name: 'CRM_RESPONSIBLE_WEBHOOK_URL', field: 'crm_responsible_webhook_url', read: text },
  { name: 'CRM_PORTAL_URL', field: 'crm_portal_url', read: originOf },
  { name: 'CRM_TIMEOUT_SECONDS', field: 'crm_timeout_seconds', read: positive },
  { name: 'CRM_REFRESH_TTL_MINUTES', field: 'crm_refresh_ttl_minutes', read: positive },
  { name: 'CRM_ENABLED', field: 'crm_enabled', read: flag },
];

/**
 * What the specification's Single DocType "Integrations Settings" holds; null if the helpdesk has none. Blank fields,
 * and a 0 where it stood for the default, are left out. Passwords are read as such, which only a System Manager may.
 *
 * @throws HelpdeskError
 */
export async function readIntegrationsSettings(
  admin: HelpdeskAdmin,
  signal: AbortSignal,
): Promise<ImportedSetting[] | null> {
  // A document of a DocType that is not there is an error, not an absence.
  const isThere = (await admin.doctype(doctype, signal)) !== null;
  const document = isThere ? await admin.get(doctype, doctype, signal) : null;
  if (document === null) return null;
  const found: ImportedSetting[] = [];
  for (const { name, field, read } of fields) {
    const shown = text(document[field]);
    // A password is shown as asterisks.
    const isHidden = shown !== null && /^\*+$/.test(shown);
    const value = isHidden ? await admin.password(doctype, doctype, field, signal) : document[field];
    const given = read(value);
    if (given !== null) found.push({ name, field, value: given });
  }
  return found;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** As it is written, if it is no address: the setting's own check then says what is expected. */
function originOf(value: unknown): string | null {
  const written = text(value);
  return written === null ? null : (URL.parse(written)?.origin ?? written);
}

function positive(value: unknown): string | null {
  const number = Number(value ?? 0);
  return Number.isInteger(number) && number > 0 ? String(number) : null;
}

/** Unset means on, as it did there. */
function flag(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return value === 0 || value === '0' || value === false ? '0' : '1';
}
