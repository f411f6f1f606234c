import type { OrgId } from '@deskside/shared/orgid';

/** The helpdesk keeps a name in a column of 140 characters, counted as code points. */
const mostCharacters = 140;

/**
 * The name of a new helpdesk customer: the CRM's name without the ` - <id>` that it ends in, then ` - <orgid>`
 * (design.md, decision 12). Angle brackets, which the helpdesk refuses in names, and control characters are left out;
 * what is too long is cut in front of the org id, between characters. Without a usable CRM name it is the org id alone.
 */
export function customerNameFor(crmName: string, orgId: OrgId): string {
  const clean = crmName
    .toWellFormed()
    .replaceAll(/[<>]/g, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const name = clean.replace(/(?:^| )- \d{1,20}$/, '').trim();
  if (name === '' || name === orgId) return orgId;
  const ending = ` - ${orgId}`;
  const characters = [...name].slice(0, mostCharacters - ending.length);
  return characters.join('').trimEnd() + ending;
}
