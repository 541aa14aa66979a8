import { Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { Caller } from '../../components/Caller';
import type { Columns } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { Ago } from '../../components/Moment';
import { Section } from '../../components/Section';
import { ShortTable } from '../../components/ShortTable';
import { TextLink } from '../../components/TextLink';
import { formatMs } from '../../text/format';

type CallError = Schemas['CallError'];

const OUTCOMES: Record<string, string> = {
  error: 'Failed',
  invalid: 'Wrong arguments',
  denied: 'Denied by policy',
  timeout: 'Timed out',
  unknown: 'No such tool',
};

const COLUMNS: Columns<CallError> = {
  When: ({ seq, at }) => (
    <TextLink to={`/audit/${seq}`}>
      <Ago at={at} />
    </TextLink>
  ),
  Skill: ({ tool, outcome }) =>
    outcome === 'unknown' ? tool : <TextLink to={`/skills/${encodeURIComponent(tool)}`}>{tool}</TextLink>,
  Caller: ({ client }) => <Caller name={client} />,
  What: ({ outcome }) => OUTCOMES[outcome] ?? outcome,
  After: ({ durationMs }) => formatMs(durationMs),
  Message: ({ message }) => (
    <Text size="sm" lineClamp={2} title={message ?? undefined}>
      {message}
    </Text>
  ),
};

export function LatestErrors({ errors }: { errors: readonly CallError[] }) {
  return (
    <Section title="Latest errors">
      {errors.length > 0 ? (
        <ShortTable label="Latest errors" columns={COLUMNS} rows={errors} keyOf={({ seq }) => String(seq)} />
      ) : (
        <EmptyState title="No call has failed">Calls that fail, are denied or time out are listed here.</EmptyState>
      )}
    </Section>
  );
}
