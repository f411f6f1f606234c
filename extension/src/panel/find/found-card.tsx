import type { FoundCompany } from '@deskside/shared/find';
import type { ReactNode } from 'react';
import type { Texts } from '#i18n/panel/texts.ts';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { buttonLook } from '#ui/buttons/button.tsx';
import { safeHttpUrl } from '#ui/links/safe-url.ts';

/** A company that was found: what tells it from others, what matched, and what can be done with it. */
export function FoundCard({ company, children }: { company: FoundCompany; children?: ReactNode }) {
  const t = useTexts();
  const { name, org_id, customer, same_org_id, url, found_by } = company;
  const href = safeHttpUrl(url);
  const facts = [
    org_id && t.find.orgId(org_id),
    planText(company, t),
    customer === name ? null : customer,
    same_org_id > 0 ? t.find.sameOrgId(same_org_id) : null,
  ].filter(Boolean);
  const [reason] = found_by;
  const quoted = found_by.map(({ value, person }) => (person === null ? value : `${value} (${person})`)).join('\n');
  return (
    <div className="rounded-lg border border-edge/60 px-3 py-2.5 wrap-anywhere">
      <p className="flex flex-wrap items-center justify-between gap-x-2">
        <bdi className="font-semibold">{name ?? t.fields.noName}</bdi>
        {reason && (
          <span className="rounded-xl bg-sunken px-2 text-xs leading-5 text-ink-2" title={quoted}>
            {t.find.matches(t.find.kind[reason.by])}
          </span>
        )}
      </p>
      <p className="mt-0.5 text-xs text-ink-2">
        <bdi>{facts.join(' · ')}</bdi>
      </p>
      {children && (
        <p className="mt-2 flex flex-wrap gap-1.5">
          {children}
          {href && (
            <a
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              className={`${buttonLook} border-line bg-paper text-ink`}
            >
              {t.find.look}
              <span className="sr-only"> ({t.shell.newTab})</span>
            </a>
          )}
        </p>
      )}
    </div>
  );
}

/** The company's plan, and how long it runs. */
function planText({ plan, plan_status, plan_days_left }: FoundCompany, { find }: Texts): string | null {
  if (plan === null) return null;
  if (plan_status === 'expired') return find.planEnded(plan);
  return plan_status === 'expiring_soon' && plan_days_left !== undefined ? find.planEnds(plan, plan_days_left) : plan;
}
