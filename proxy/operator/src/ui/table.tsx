import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface Column {
  title: string;
  /** Numbers, at the end of their column. */
  isNumber?: boolean;
}

/** A small table. `label` says what it is; the first cell of each row is what the row is about. */
export function Table({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: readonly Column[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}) {
  const side = (at: number) => (columns[at]?.isNumber ? 'text-end' : 'text-start');
  return (
    <table className="w-full text-sm" aria-label={label}>
      <thead>
        <tr className="border-b border-line text-xs text-ink-3">
          {columns.map(({ title }, at) => (
            <th key={title} scope="col" className={clsx('py-1 pe-3 font-medium last:pe-0', side(at))}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key} className="border-b border-line last:border-0">
            {cells.map((cell, at) => {
              const className = clsx('py-1.5 pe-3 align-baseline font-normal wrap-anywhere last:pe-0', side(at));
              return at === 0 ? (
                <th key={columns[at]?.title} scope="row" className={className}>
                  {cell}
                </th>
              ) : (
                <td key={columns[at]?.title} className={className}>
                  {cell}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
