import { Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { Caller } from '../../components/Caller';
import type { Columns } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { Ago } from '../../components/Moment';
import { Section } from '../../components/Section';
import { ShortTable } from '../../components/ShortTable';
import { TextLink } from '../../components/TextLink';

type Program = Schemas['Overview']['programs'][number];

// Protocol versions from this one on have no sessions.
const STATELESS_SINCE = '2026-07-28';

const COLUMNS: Columns<Program> = {
  Program: ({ name }) => (
    <Text size="sm" lineClamp={2}>
      {name ?? 'Unknown'}
    </Text>
  ),
  Version: ({ version }) => version,
  Protocol: ({ protocolVersion }) =>
    `${protocolVersion} (${protocolVersion < STATELESS_SINCE ? 'with sessions' : 'stateless'})`,
  Caller: ({ client }) => <Caller name={client} />,
  'Last seen': ({ lastSeenAt }) => <Ago at={lastSeenAt} />,
  Streams: ({ streams }) => streams,
};

interface ProgramsProps {
  programs: readonly Program[];
  keyConfigured: boolean;
}

/** Lists the programs that use the endpoint. */
export function Programs({ programs, keyConfigured }: ProgramsProps) {
  return (
    <Section title="Connected programs" about="Programs with an open stream, or with a call in the last 15 minutes.">
      {programs.length > 0 ? (
        <ShortTable
          label="Connected programs"
          columns={COLUMNS}
          rows={programs}
          keyOf={({ client, name, version, protocolVersion }) => [client, name, version, protocolVersion].join(' ')}
        />
      ) : (
        <EmptyState title="No program is connected">
          {keyConfigured ? (
            <>
              Add this service to your assistant: <TextLink to="/connect">Connect</TextLink> has the lines to copy for
              each, and a test.
            </>
          ) : (
            <>
              Programs need a key: generate <code>mcp.api_key</code> under <TextLink to="/config">Config</TextLink>.
            </>
          )}
        </EmptyState>
      )}
    </Section>
  );
}
