import type { AlternativeCompany } from '@deskside/shared/profile';
import { useTexts } from '#i18n/texts-context.ts';
import { ExternalLink } from '#ui/links/external-link.tsx';
import { safeHttpUrl } from '#ui/links/safe-url.ts';
import { Note } from '#ui/note.tsx';

/** Other companies in the CRM with the same id: the one on screen may be the wrong one. */
export function Alternatives({ companies }: { companies: readonly AlternativeCompany[] }) {
  const { fields, shell } = useTexts();
  if (companies.length === 0) return null;
  return (
    <Note tone="info" title={fields.alternatives(companies.length + 1)}>
      <p>{fields.alternativesBody}</p>
      <ul>
        {companies.map(({ bitrix_id, company_name, date_modify, url }) => {
          const href = safeHttpUrl(url);
          const name = <bdi>{company_name ?? fields.crmId(bitrix_id)}</bdi>;
          return (
            <li key={bitrix_id} className="mt-1">
              {href ? (
                <ExternalLink href={href} newTab={shell.newTab} className="underline">
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
    </Note>
  );
}
