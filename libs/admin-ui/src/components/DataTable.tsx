import type { ReactNode } from 'react';
import classes from './DataTable.module.css';

/** What each column shows of a row, by its title. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => ReactNode>>;

export interface DataTableProps<Row> {
  label: string;
  columns: Columns<Row>;
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string;
}

/**
 * Table that becomes a list of cards on a phone or tablet. The ARIA roles are explicit, because screen readers do not recognise a table
 * whose parts are laid out as blocks.
 */
export function DataTable<Row>({ label, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <table className={classes.table} aria-label={label} role="table">
      <thead role="rowgroup">
        <tr role="row">
          {Object.keys(columns).map((title) => (
            <th key={title} scope="col" role="columnheader">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)} role="row">
            {Object.entries(columns).map(([title, render]) => (
              <td key={title} role="cell" data-title={title}>
                {render(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
