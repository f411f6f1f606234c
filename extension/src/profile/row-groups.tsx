import { Fragment, useContext } from 'react';
import type { Changes } from './changes.ts';
import { ChangesContext, isShown, Value } from './value.tsx';
import type { Row, RowGroup } from './view-model.ts';

/** The label-and-value lists. What has no value takes no room; a group without rows is not there. */
export function RowGroups({ groups }: { groups: readonly RowGroup[] }) {
  const changes = useContext(ChangesContext);
  return groups.map((group) => {
    const rows = group.rows.map((row) => withValues(row, changes)).filter((row) => row.parts.length > 0);
    if (rows.length === 0) return null;
    return group.folded ? (
      <details key={group.id} className="group" open={rows.some((row) => isChanged(row, changes)) || undefined}>
        <summary className="flex min-h-6 list-none items-center gap-1 rounded-sm text-xs font-semibold text-ink-2 hover:text-ink">
          {group.title}
          <Chevron />
        </summary>
        <div className="pt-1.5">
          <RowList rows={rows} />
        </div>
      </details>
    ) : (
      <section key={group.id} aria-label={group.title}>
        <h4 className="mb-1.5 text-xs font-semibold text-ink-2">{group.title}</h4>
        <RowList rows={rows} />
      </section>
    );
  });
}

function RowList({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className="grid grid-cols-[30%_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm">
      {rows.map(({ label, parts }) => (
        <Fragment key={`${label} ${parts[0]?.key}`}>
          <dt className="text-ink-3 wrap-anywhere">{label}</dt>
          <dd className="flex flex-wrap gap-x-1.5 wrap-anywhere">
            {parts.map((part) => (
              <span key={part.key} className="max-w-full">
                <Value part={part} />
              </span>
            ))}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Chevron() {
  return (
    <svg
      aria-hidden="true"
      width="12"
      height="12"
      viewBox="0 0 16 16"
      className="transition-none group-open:rotate-180"
    >
      <path d="M4 6l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  );
}

function withValues(row: Row, changes: Changes): Row {
  return { ...row, parts: row.parts.filter((part) => isShown(part, changes)) };
}

function isChanged(row: Row, changes: Changes): boolean {
  return row.parts.some((part) => changes.has(part.key));
}
