import type { OrgId } from '@deskside/shared/orgid';

/** The helpdesk stores names in a column of 140 characters, counted as code points. */
const maxCharacters = 140;

/**
 * The name of a new helpdesk customer: the CRM's name without its trailing ` - <id>`, then ` - <orgid>`
 * (docs/decisions.md 12). Angle brackets, which the helpdesk refuses in names, and control characters are removed. A
 * name that is too long is cut before the org id, between characters. Without a usable CRM name it is the org id alone.
 */
export function customerNameFor(crmName: string, orgId: OrgId): string {
  const name = nameWithoutId(crmName);
  if (name === '' || name === orgId) return orgId;
  const ending = ` - ${orgId}`;
  const characters = [...name].slice(0, maxCharacters - ending.length);
  return characters.join('').trimEnd() + ending;
}

/** The CRM's name as a person would give it to a customer: without its trailing ` - <id>`; may be empty. */
export function nameWithoutId(crmName: string): string {
  const clean = crmName
    .toWellFormed()
    .replaceAll(/[<>]/g, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return clean.replace(/(?:^| )- \d{1,20}$/, '').trim();
}
