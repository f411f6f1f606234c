import type { FoundCompany } from '@deskside/shared/find';
import type { ReactNode } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { ExternalLink } from '#ui/links/external-link.tsx';
import { safeHttpUrl } from '#ui/links/safe-url.ts';
import { planText, reasonText } from './find-model.ts';

/** A company that was found: what tells it from others, and why it was found. */
export function FoundCard({ company, children }: { company: FoundCompany; children?: ReactNode }) {
  const t = useTexts();
  const { name, org_id, customer, same_org_id, url, found_by } = company;
  const href = safeHttpUrl(url);
  const facts = [org_id && t.find.orgId(org_id), planText(company, t)].filter((fact) => fact !== null);
  return (
    <div className="flex flex-col gap-1.5 text-sm wrap-anywhere">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <bdi className="font-semibold">{name ?? t.fields.noName}</bdi>
        {href && (
          <ExternalLink href={href} ownLine newTab={t.shell.newTab} className="text-xs">
            {t.shell.openInCrm}
          </ExternalLink>
        )}
      </p>
      {facts.length > 0 && (
        <p className="text-ink-2">
          <bdi>{facts.join(' · ')}</bdi>
        </p>
      )}
      <ul className="text-ink-2">
        {found_by.map((reason) => (
          <li key={reason.by}>
            <bdi>{reasonText(reason, t)}</bdi>
          </li>
        ))}
        {customer !== null && customer !== name && (
          <li>
            <bdi>{t.find.customer(customer)}</bdi>
          </li>
        )}
        {same_org_id > 0 && <li>{t.find.sameOrgId(same_org_id)}</li>}
      </ul>
      {children && <div>{children}</div>}
    </div>
  );
}
