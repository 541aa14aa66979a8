import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '../text/format';
import { type Column, DataTable } from './DataTable';

const FIRST = 5;

interface ShortTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string;
}

/** Table that shows only the first rows until the user expands it. */
export function ShortTable<Row>({ rows, ...table }: ShortTableProps<Row>) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <DataTable {...table} rows={isWhole ? rows : rows.slice(0, FIRST)} />
      {rows.length > FIRST && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the first ${FIRST}` : `Show all ${formatNumber(rows.length)}`}
        </Button>
      )}
    </>
  );
}
