import { useContext } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import type { ShownTrust } from '#i18n/trust.ts';
import { ChangesContext, isShown, Value } from '#profile/rows/value.tsx';
import { TrustTag } from '#profile/trust/trust.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Tag } from '#ui/tag.tsx';
import type { CompanyModel } from './profile-model.ts';

/** The company and how far to trust the match; stays in view while the rest scrolls. */
export function CompanyHeader({ company, trust }: { company: CompanyModel; trust: ShownTrust | null }) {
  const { shell, fields } = useTexts();
  const changes = useContext(ChangesContext);
  return (
    <div className="pinned-top top-11 border-b border-line bg-paper px-4 pb-3">
      <h3 className="line-clamp-3 text-lg font-semibold wrap-anywhere" title={company.name.text ?? undefined}>
        <Value part={company.name} />
      </h3>
      <div className="mt-0.5 flex flex-wrap items-center gap-x-1.5 gap-y-1 text-sm text-ink-2">
        {isShown(company.id, changes) && (
          <span className="inline-flex items-center gap-0.5">
            <span className="sr-only">{fields.companyId} </span>
            <Value part={company.id} />
            {company.id.text && (
              <CopyButton text={company.id.text} label={shell.copyId} done={shell.copied} failed={shell.copyFailed} />
            )}
          </span>
        )}
        {trust && <TrustTag level={trust} />}
        {company.tags
          .filter((part) => isShown(part, changes))
          .map((part) => (
            <Tag key={part.key}>
              <Value part={part} />
            </Tag>
          ))}
      </div>
    </div>
  );
}
