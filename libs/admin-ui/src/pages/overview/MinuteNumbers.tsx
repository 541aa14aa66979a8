import { ScrollArea, Table } from '@mantine/core';
import { formatClock, formatMs } from '../../text/format';
import type { Minute } from './chart-rules';
import classes from './MinuteNumbers.module.css';

/** The chart as a table: the minutes that had calls, the latest first. */
export function MinuteNumbers({ title, minutes }: { title: string; minutes: readonly Minute[] }) {
  const busy = minutes.filter(({ calls }) => calls > 0).toReversed();
  if (busy.length === 0) return null;
  return (
    <details className={classes.details}>
      <summary>Show the numbers</summary>
      <ScrollArea.Autosize
        mah={240}
        mt="xs"
        viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': `${title}, numbers` }}
      >
        <Table aria-label={`${title}, by minute`}>
          <Table.Thead>
            <Table.Tr>
              {['Time', 'Calls', 'Errors', 'p50', 'p95'].map((heading) => (
                <Table.Th key={heading}>{heading}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {busy.map(({ at, calls, errors, p50Ms, p95Ms }) => (
              <Table.Tr key={at}>
                <Table.Td>{formatClock(new Date(at))}</Table.Td>
                <Table.Td>{calls}</Table.Td>
                <Table.Td>{errors}</Table.Td>
                <Table.Td>{p50Ms === null ? '' : formatMs(p50Ms)}</Table.Td>
                <Table.Td>{p95Ms === null ? '' : formatMs(p95Ms)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </details>
  );
}
