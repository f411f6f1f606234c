import type { AlsoNamed as NamedCompany } from '@deskside/shared/profile';
import { useTexts } from '#i18n/texts-context.ts';
import { TrustTag } from '#profile/trust/trust.tsx';
import { fieldLabel } from '#profile/trust/trust-evidence.ts';
import { ExternalLink } from '#ui/external-link.tsx';
import { Note } from '#ui/note.tsx';
import { safeHttpUrl } from '#ui/safe-url.ts';

/** Companies that the ticket or its customer names besides the one on screen, which is vouched for better. */
export function AlsoNamed({ companies }: { companies: readonly NamedCompany[] }) {
  const t = useTexts();
  if (companies.length === 0) return null;
  return (
    <Note tone="warn" title={t.fields.alsoNamed(companies.length)}>
      <p>{t.fields.alsoNamedBody}</p>
      <ul>
        {companies.map(({ org_id, source, field, company_name, url, trust }) => {
          const href = safeHttpUrl(url);
          const name = <bdi>{company_name ?? t.fields.noName}</bdi>;
          return (
            <li key={org_id} className="mt-1">
              {href ? (
                <ExternalLink href={href} newTab={t.shell.newTab} className="underline">
                  {name}
                </ExternalLink>
              ) : (
                name
              )}{' '}
              · <bdi>{org_id}</bdi> · <bdi>{t.fields.namedBy[source](fieldLabel(field, t))}</bdi>{' '}
              <TrustTag level={trust?.level ?? 'unknown'} />
            </li>
          );
        })}
      </ul>
    </Note>
  );
}
