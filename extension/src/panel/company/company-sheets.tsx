import type { ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { capitalized } from '#i18n/format.ts';
import { Sheet } from '#panel/parts/sheet.tsx';
import { trustLooks } from '#panel/parts/trust.ts';
import { useTexts } from '#panel/texts/texts.ts';
import { OutLink } from '#ui/button.tsx';
import { safeHttpUrl } from '#ui/safe-url.ts';
import { WithNames } from '#ui/with-names.tsx';
import { companiesOf, companyName } from './companies.ts';

interface CompanyChoiceProps {
  /** As answered, with the leading company. */
  answered: ProfileData;
  /** The org id of the one on screen. */
  shown: string | null;
  onChoose: (orgId: string) => void;
  onClose: () => void;
}

export function CompanyChoice({ answered, shown, onChoose, onClose }: CompanyChoiceProps) {
  const t = useTexts();
  const companies = companiesOf(answered, t);
  return (
    <Sheet title={t.steps.companies(companies.length)} onClose={onClose}>
      <ul className="flex flex-col gap-1.5">
        {companies.map(({ orgId, name, trust, where }) => (
          <li key={orgId}>
            <button
              type="button"
              aria-pressed={orgId === shown}
              className={clsx(
                'block w-full rounded-md border px-2.5 py-1.5 text-start wrap-anywhere hover:border-edge',
                orgId === shown ? 'border-edge bg-sunken font-semibold' : 'border-line',
              )}
              onClick={() => onChoose(orgId)}
            >
              <span className="flex flex-wrap justify-between gap-x-2">
                <bdi>{name}</bdi>
                <span className={clsx('text-xs font-medium', trustLooks[trust].className)}>{t.trust.tag[trust]}</span>
              </span>
              <span className="block text-xs font-normal text-ink-3">
                <bdi>{[t.find.orgId(orgId), where].filter(Boolean).join(', ')}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

interface CompareProps {
  profile: ProfileData;
  onClose: () => void;
  /** What is done about it. */
  children: ReactNode;
}

/** The CRM's companies with one org id side by side: the one in use may be the wrong one. What differs is marked. */
export function Compare({ profile: { bitrix }, onClose, children }: CompareProps) {
  const t = useTexts();
  const { company, alternatives } = bitrix;
  if (!company) return null;
  const { fields } = t;
  return (
    <Sheet title={fields.alternatives(alternatives.length + 1)} onClose={onClose}>
      <p className="wrap-anywhere">
        <WithNames text={t.steps.twinsUsed(companyName(company, t))} names={[companyName(company, t)]} />
      </p>
      {alternatives.map((other) => {
        const rows = [
          [fields.name, company.company_name, other.company_name],
          [fields.plan, company.current_shopplan, other.current_shopplan],
          [fields.term, company.shopplan_expiry, other.shopplan_expiry],
          [fields.segment, company.customer_segment, other.customer_segment],
          [t.people.role.shop_owner, company.owner_name, other.owner_name],
          [t.find.kind.email, company.owner_email, other.owner_email],
          [t.find.kind.phone, company.owner_phone, other.owner_phone],
          [fields.location, company.address_region, other.address_region ?? null],
          [fields.crmModified, company.date_modify, other.date_modify],
        ] as const;
        const href = safeHttpUrl(other.url);
        return (
          <table key={other.bitrix_id} className="w-full table-fixed border-collapse text-start wrap-anywhere">
            <thead className="text-xs text-ink-3">
              <tr>
                <td className="w-20" />
                <th scope="col" className="py-1 pe-2 text-start font-semibold">
                  {fields.used}
                </th>
                <th scope="col" className="py-1 text-start font-semibold">
                  {href ? (
                    <OutLink href={href}>
                      {fields.other} <span className="sr-only">({t.shell.newTab})</span>
                    </OutLink>
                  ) : (
                    fields.other
                  )}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([label, ours, theirs]) =>
                ours || theirs ? (
                  <tr key={label} className="border-t border-line align-top">
                    <th scope="row" className="py-1 pe-2 text-start font-normal text-ink-3">
                      {capitalized(t.language, label)}
                    </th>
                    <td className="py-1 pe-2">
                      <bdi>{ours ?? '–'}</bdi>
                    </td>
                    <td className="py-1">{ours === theirs ? <bdi>{theirs}</bdi> : <mark>{theirs ?? '–'}</mark>}</td>
                  </tr>
                ) : null,
              )}
            </tbody>
          </table>
        );
      })}
      <div className="flex flex-wrap gap-2">{children}</div>
    </Sheet>
  );
}
