import clsx from 'clsx';
import { useId, useState } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { toneClass } from '#ui/tone.ts';
import { WithNames } from '#ui/with-names.tsx';
import type { Warning } from './warnings.ts';

/** The one place for warnings: the most important one, and how many more there are. */
export function WarningSlot({ warnings }: { warnings: readonly Warning[] }) {
  const { shell } = useTexts();
  const [all, setAll] = useState(false);
  const id = useId();
  const [first, ...others] = warnings;
  if (!first) return null;
  return (
    <section
      aria-label={shell.warnings}
      className={clsx('mx-4 mt-2.5 overflow-hidden rounded-lg text-sm', toneClass[first.tone])}
    >
      <ul id={id}>
        {(all ? warnings : [first]).map((warning) => (
          <li key={warning.key} className={clsx('flex items-center gap-2 px-2.5 py-2', toneClass[warning.tone])}>
            <div className="min-w-0 flex-1 wrap-anywhere">
              <WithNames text={warning.sentence} names={warning.names ?? []} />{' '}
              {warning === first && others.length > 0 && (
                <button
                  type="button"
                  aria-expanded={all}
                  aria-controls={id}
                  className="min-h-6 text-xs whitespace-nowrap underline"
                  onClick={() => setAll(!all)}
                >
                  {all ? shell.fewer : shell.moreWarnings(others.length)}
                </button>
              )}
            </div>
            {warning.action && (
              <button
                type="button"
                className="min-h-6 shrink-0 rounded-md border border-current px-2 text-xs font-medium"
                onClick={warning.action.onPress}
              >
                {warning.action.label}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
