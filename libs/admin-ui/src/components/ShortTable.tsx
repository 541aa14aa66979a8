import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '../text/format';
import { DataTable, type DataTableProps } from './DataTable';

const FIRST = 5;

/** Table that shows only the first rows until the user expands it. */
export function ShortTable<Row>({ rows, ...table }: DataTableProps<Row>) {
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
