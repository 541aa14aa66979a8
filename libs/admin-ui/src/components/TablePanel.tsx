import { Paper } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { DataTable, type DataTableProps } from './DataTable';
import { LoadMore } from './LoadMore';
import { QueryState } from './QueryState';

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
