import { Badge, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Caller } from '../../../components/Caller';
import { type Columns, DataTable } from '../../../components/DataTable';
import { Ago } from '../../../components/Moment';
import { TextLink } from '../../../components/TextLink';
import { PolicyLinks } from '../PolicyLinks';
import type { DryRun } from '../use-policies';

type ChangedCall = DryRun['changed'][number];

interface ChangedCallsProps {
  calls: readonly ChangedCall[];
  /** Name of the policy in the editor. */
  shown: string;
}

const PORTION = 20;

/** Lists calls that would be decided differently, latest first. */
export function ChangedCalls({ calls, shown }: ChangedCallsProps) {
  const [limit, setLimit] = useState(PORTION);
  return (
    <>
      <DataTable
        label="Calls decided differently"
        columns={columnsFor(shown)}
        rows={calls.slice(0, limit)}
        keyOf={({ seq }) => String(seq)}
      />
      {calls.length > limit && (
        <Group justify="center">
          <Button variant="default" onClick={() => setLimit(limit + PORTION)}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}

const STYLES: Record<ChangedCall['after'], { color: string; title: string }> = {
  allowed: { color: 'teal', title: 'Allowed' },
  confirmed: { color: 'yellow', title: 'To confirm' },
  refused: { color: 'red', title: 'Refused' },
};

const columnsFor = (shown: string): Columns<ChangedCall> => ({
  When: ({ seq, at }) => (
    <TextLink to={`/audit/${seq}`}>
      <Ago at={at} />
    </TextLink>
  ),
  Client: ({ client }) => <Caller name={client} />,
  Tool: ({ tool }) => tool,
  'Would be': ({ after, uncertain }) => (
    <Group gap={6}>
      <Badge color={STYLES[after].color}>{STYLES[after].title}</Badge>
      {uncertain && (
        <Badge color="gray" title="The audit log does not have the full arguments, so this may be wrong.">
          Uncertain
        </Badge>
      )}
    </Group>
  ),
  By: ({ policies }) =>
    policies.length > 0 ? <PolicyLinks policies={policies} shown={shown} /> : 'No policy permits it',
});
