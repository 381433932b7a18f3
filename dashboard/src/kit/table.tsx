import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'right';
  /** Left out where the window is narrow. */
  readonly isExtra?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** For up to some hundred rows; thousands are shown by `VirtualList`. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <section
      aria-label={label}
      tabIndex={0}
      className="overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-muted">
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                className={classNames('px-3 py-2 font-medium', cellClass(column))}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-sunken/60">
              {columns.map((column) => (
                <td
                  key={column.label}
                  className={classNames('px-3 py-2 align-middle', cellClass(column))}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function cellClass<Row>({ align, isExtra }: Column<Row>): string {
  return classNames(
    align === 'right' && 'text-right tabular-nums',
    isExtra === true && 'hidden md:table-cell',
  );
}
