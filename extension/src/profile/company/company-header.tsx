import { useContext } from 'react';
import type { ShownTrust } from '#i18n/profile/trust.ts';
import { useTexts } from '#i18n/texts-context.ts';
import { ChangesContext, isShown, Value } from '#profile/rows/value.tsx';
import { TrustTag } from '#profile/trust/trust.tsx';
import { Tag } from '#ui/tag.tsx';
import type { CompanyModel } from './profile-model.ts';

/** The company and how far to trust the match; stays in view while the rest scrolls. */
export function CompanyHeader({ company, trust }: { company: CompanyModel; trust: ShownTrust | null }) {
  const { fields } = useTexts();
  const changes = useContext(ChangesContext);
  const tags = company.tags.filter(({ part }) => isShown(part, changes));
  return (
    <div className="pinned-top top-11 border-b border-line bg-paper px-4 pb-3">
      <h3 className="line-clamp-3 text-lg font-semibold wrap-anywhere" title={company.name.text ?? undefined}>
        <Value part={company.name} />
      </h3>
      <div className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-2">
        {isShown(company.id, changes) && (
          <span>
            <span className="text-ink-3">{fields.companyId}</span> <Value part={company.id} />
          </span>
        )}
        {trust && <TrustTag level={trust} />}
      </div>
      {tags.length > 0 && (
        <div className="mt-1 flex flex-wrap items-center gap-1.5">
          {tags.map(({ label, part }) => (
            <Tag key={part.key}>
              <span className="font-normal">{label}:</span> <Value part={part} />
            </Tag>
          ))}
        </div>
      )}
    </div>
  );
}
