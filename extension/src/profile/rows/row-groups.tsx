import { Fragment, type ReactNode, useContext } from 'react';
import { Fold } from '#ui/fold/fold.tsx';
import type { Changes, Row, RowGroup } from './row.ts';
import { ChangesContext, isShown, Value } from './value.tsx';

/** Lists of labels and values. Rows without a value and groups without rows are left out. */
export function RowGroups({ groups }: { groups: readonly RowGroup[] }) {
  const changes = useContext(ChangesContext);
  return groups.map((group) => {
    const rows = group.rows.map((row) => withValues(row, changes)).filter((row) => row.parts.length > 0);
    if (rows.length === 0) return null;
    return group.folded ? (
      <Fold key={group.id} id={group.id} title={group.title} open={rows.some((row) => isChanged(row, changes))}>
        <RowList rows={rows} />
      </Fold>
    ) : (
      <section key={group.id} aria-label={group.title}>
        <h4 className="mb-1.5 text-xs font-semibold text-ink-2">{group.title}</h4>
        <RowList rows={rows} />
      </section>
    );
  });
}

/** One list of labels and values, after `children`. */
export function RowList({ rows, children }: { rows: readonly Row[]; children?: ReactNode }) {
  return (
    <dl className="grid grid-cols-[30%_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1.5 text-sm">
      {children}
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

function withValues(row: Row, changes: Changes): Row {
  return { ...row, parts: row.parts.filter((part) => isShown(part, changes)) };
}

function isChanged(row: Row, changes: Changes): boolean {
  return row.parts.some((part) => changes.has(part.key));
}
