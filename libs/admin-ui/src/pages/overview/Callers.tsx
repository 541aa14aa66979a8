import type { Overview, Period } from '../../api/overview';
import { Caller } from '../../components/Caller';
import type { Columns } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { Section } from '../../components/Section';
import { ShortTable } from '../../components/ShortTable';
import { TextLink } from '../../components/TextLink';
import { formatNumber } from '../../text/format';

type Caller = Overview['callers'][number];

const COLUMNS: Columns<Caller> = {
  Client: ({ client }) => <Caller name={client} to={`/audit?client=${encodeURIComponent(client)}`} />,
  Calls: ({ calls }) => formatNumber(calls),
  Failed: ({ errors, denied }) => formatNumber(errors - denied),
  Denied: ({ client, denied }) =>
    denied === 0 ? (
      '0'
    ) : (
      <TextLink to={`/audit?client=${encodeURIComponent(client)}&outcome=denied`}>{formatNumber(denied)}</TextLink>
    ),
};

/** Lists the clients that called, most denied first. */
export function Callers({ callers, period }: { callers: readonly Caller[]; period: Period }) {
  return (
    <Section
      title="Clients that called"
      about={period === 'hour' && 'In this hour of the clock, and in the one before.'}
    >
      {callers.length > 0 ? (
        <ShortTable label="Clients that called" columns={COLUMNS} rows={callers} keyOf={({ client }) => client} />
      ) : (
        <EmptyState title={`No client called in the last ${period}`}>
          Clients are listed here with the number of their calls, and how many of them policies denied.
        </EmptyState>
      )}
    </Section>
  );
}
