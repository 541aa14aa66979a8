import type { ComponentProps, ReactNode } from 'react';
import { Paper } from '@mantine/core';
import classes from './DataTable.module.css';
import { LoadMore } from './LoadMore';
import { QueryState } from './QueryState';

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

interface TablePanelProps<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  query: ComponentProps<typeof QueryState>['query'];
  rows: readonly Row[] | undefined; // undefined = not loaded yet
  /** Loads further rows; absent when all come at once. */
  pages?: ComponentProps<typeof LoadMore>['pages'];
  /** What is shown instead of a table without rows. */
  empty: ReactNode;
}

/** The list of a page: a table in a frame, from loading it to its last row. */
export function TablePanel<Row>({ query, rows, pages, empty, ...table }: TablePanelProps<Row>) {
  return (
    <>
      <QueryState query={query} />
      {rows && (
        <Paper withBorder p="md">
          {rows.length > 0 ? <DataTable rows={rows} {...table} /> : empty}
          {pages && <LoadMore pages={pages} />}
        </Paper>
      )}
    </>
  );
}
