import type { OrgId } from '@deskside/shared/orgid';
import type { Command } from './client.ts';
import type { LookupFields } from './crm.ts';
import type { FieldMap } from './field-map.ts';

/** A batch holds 50 commands (docs/crm.md#batch), and an org id takes up to three. */
export const maxOrgIds = 16;

/**
 * The commands of the one batch that looks up all org ids. Aliases: `company<n>`, and `platform<n>` if both fields are
 * searched, for the companies; `people<n>` for the contacts of the first of each; `owner<n>` for the account owner. If
 * there is no company, the placeholder `$result[…]` is sent as plain text, so the results must be checked against the
 * company.
 */
export function commandsFor(
  orgIds: readonly OrgId[],
  by: LookupFields,
  fieldMap: FieldMap,
  withOwner: boolean,
): Record<string, Command> {
  const commands: Record<string, Command> = {};
  const both = by === 'platform_orgid_then_company_id';
  for (const [index, orgId] of orgIds.entries()) {
    const list = (field: string): Command => ({
      method: 'crm.company.list',
      params: {
        filter: { [field]: orgId },
        order: { DATE_MODIFY: 'DESC', ID: 'DESC' },
        select: both ? ['*', 'UF_*', 'EMAIL', 'PHONE', 'WEB'] : selected(fieldMap),
        start: -1,
      },
    });
    const sources = both ? [`platform${index}`, `company${index}`] : [`company${index}`];
    const firsts = sources.map((source) => `$result[${source}][0]`);
    if (both) commands[`platform${index}`] = list(fieldMap.platform_org_id);
    commands[`company${index}`] = list(fieldMap.company_id);
    commands[`people${index}`] = {
      method: 'crm.contact.list',
      params: {
        filter: { COMPANY_ID: both ? firsts.map((first) => `${first}[ID]`) : `${firsts[0]}[ID]` },
        order: { ID: 'ASC' },
        select: ['ID', 'NAME', 'SECOND_NAME', 'LAST_NAME', 'POST', 'COMPANY_ID', 'EMAIL', 'PHONE'],
        start: -1,
      },
    };
    if (withOwner && !both)
      commands[`owner${index}`] = { method: 'user.get', params: { FILTER: { ID: `${firsts[0]}[ASSIGNED_BY_ID]` } } };
  }
  return commands;
}

/** The fields of a company that are shown or looked for. */
export function selected({ segments: _, extra, ...named }: FieldMap): string[] {
  const own = ['ID', 'TITLE', 'DATE_CREATE', 'DATE_MODIFY', 'ASSIGNED_BY_ID', 'ADDRESS_REGION', 'ADDRESS_COUNTRY'];
  return [...new Set([...own, ...Object.values(named), ...extra.map(({ field }) => field), 'EMAIL', 'PHONE', 'WEB'])];
}
