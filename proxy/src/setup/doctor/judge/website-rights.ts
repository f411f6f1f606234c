import { type AreaReport, finding, listed } from '#setup/doctor/finding.ts';
import type { WebsiteRightsFacts } from '#setup/doctor/gather/website-rights.ts';

/** Judges whether senders can tamper with what vouches for them (docs/decisions.md 9). */
export function judgeWebsiteRights({ customerFields, accountLinks }: WebsiteRightsFacts): AreaReport {
  const findings = [];
  const passed = [];
  if (customerFields.length > 0) {
    const roles = listed([...new Set(customerFields.flatMap((field) => field.roles))]);
    findings.push(
      finding(
        'customer_org_id_open',
        `Portal customers with the role ${roles} may change ${listed(customerFields.map(({ field }) => field))} of HD ` +
          'Customer, and so pass for another company; as long as they may, membership alone does not vouch for a sender.',
        'Run "provision", which protects these fields; if it has, remove write permission at their level from these roles.',
      ),
    );
  } else passed.push('Only desk users can set which company an HD Customer is.');
  if (accountLinks !== null && accountLinks.roles.length > 0) {
    findings.push(
      finding(
        'account_links_open',
        `Portal customers (${listed(accountLinks.roles)}) may write ${accountLinks.doctype}, so these records do not ` +
          'vouch for a sender.',
        `Remove create and write permission on ${accountLinks.doctype} from these roles (Role Permissions Manager).`,
      ),
    );
  } else if (accountLinks !== null) passed.push(`Only desk users may write ${accountLinks.doctype}.`);
  return { area: 'Evidence', findings, passed, unchecked: [] };
}
