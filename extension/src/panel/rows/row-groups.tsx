import { Fragment, type ReactNode, useContext } from 'react';
import { Fold } from '#ui/fold/fold.tsx';
import type { Changes, Row, RowGroup } from './row.ts';
import { ChangesContext, isShown, Values } from './value.tsx';

/** Lists of labels and values, open or folded as the agent left them. Rows without a value and groups without rows are left out. */
export function RowGroups({ groups }: { groups: readonly RowGroup[] }) {
  const changes = useContext(ChangesContext);
  return groups.map((group) => {
    const rows = group.rows.map((row) => withValues(row, changes)).filter((row) => row.parts.length > 0);
    if (rows.length === 0) return null;
    const isChanged = rows.some(({ parts }) => parts.some(({ key }) => changes.has(key)));
    return (
      <Fold key={group.id} id={group.id} title={group.title} initially={!group.folded} open={isChanged || undefined}>
        <RowList rows={rows} />
      </Fold>
    );
  });
}

/** One list of labels and values, after `children`. */
export function RowList({ rows, children }: { rows: readonly Row[]; children?: ReactNode }) {
  return (
    <dl className="grid grid-cols-[84px_minmax(0,1fr)] items-baseline gap-x-2.5 gap-y-1 text-sm">
      {children}
      {rows.map(({ label, parts }) => (
        <Fragment key={`${label} ${parts[0]?.key}`}>
          <dt className="text-ink-3 wrap-anywhere">{label}</dt>
          <dd className="wrap-anywhere">
            <Values parts={parts} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** A row without the values that are not there. */
export function withValues(row: Row, changes: Changes): Row {
  return { ...row, parts: row.parts.filter((part) => isShown(part, changes)) };
}
