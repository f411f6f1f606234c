import type { AlternativeCompany } from '@deskside/shared/profile';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { ExternalLink } from '#ui/links/external-link.tsx';
import { safeHttpUrl } from '#ui/links/safe-url.ts';

/** Other companies in the CRM with the same id: the one on screen may be the wrong one. */
export function Alternatives({ companies }: { companies: readonly AlternativeCompany[] }) {
  const { fields, shell } = useTexts();
  return (
    <>
      <p>{fields.alternativesBody}</p>
      <ul className="flex flex-col gap-1">
        {companies.map(({ bitrix_id, company_name, date_modify, url }) => {
          const href = safeHttpUrl(url);
          const name = <bdi>{company_name ?? fields.crmId(bitrix_id)}</bdi>;
          return (
            <li key={bitrix_id}>
              {href ? (
                <ExternalLink href={href} newTab={shell.newTab}>
                  {name}
                </ExternalLink>
              ) : (
                name
              )}
              {date_modify && ` · ${fields.changedOn(date_modify)}`}
            </li>
          );
        })}
      </ul>
    </>
  );
}
