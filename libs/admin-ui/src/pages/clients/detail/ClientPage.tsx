import { Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { DeleteButton } from '../../../components/DeleteButton';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { type Client, useClient, useDeleteClient } from '../use-clients';
import { ClientEntries } from './ClientEntries';
import { ClientForm } from './ClientForm';
import { ClientKeys } from './ClientKeys';
import { ClientToolsSection } from './ClientToolsSection';
import { DataTable } from '../../../components/DataTable';
import { LoadMore } from '../../../components/LoadMore';
import { Section } from '../../../components/Section';
import { SESSION_COLUMNS } from '../../sessions/session-columns';
import { useSessions } from '../../sessions/use-sessions';
import { Facts } from '../../../components/Facts';
import { Ago, Until } from '../../../components/Moment';
import { Tags } from '../../../components/Tags';

export default function ClientPage() {
  const { name = '' } = useParams();
  const query = useClient(name);
  const client = query.data;
  const deletion = useDeleteClient(name);
  return (
    <>
      <TextLink to="/clients">All clients</TextLink>
      <PageHeader
        title={name}
        about={client?.note}
        actions={
          client &&
          !client.isDefault && (
            <OnlyFor role="admin">
              <DeleteButton
                deletion={deletion}
                title={`Delete ${name}?`}
                text="Its keys, sessions, streams and running calls end at once. They can't be recovered."
                confirm="Delete client"
                done={`${name} is deleted.`}
                to="/clients"
              />
            </OnlyFor>
          )
        }
      />
      <Stack>
        <QueryState query={query} height={160} />
        {client && (
          <>
            <ClientFacts client={client} />
            {client.isDefault ? (
              <Text>
                This is everybody who presents the key <code>mcp.api_key</code>, which is set under{' '}
                <TextLink to="/config">Config</TextLink>. Give each person and program its own client instead.
              </Text>
            ) : (
              <ClientKeys client={client} />
            )}
            <ClientToolsSection name={name} />
            <ClientSessions name={name} />
            <ClientEntries title="Calls" client={name} filter={{ kind: 'call' }} none="It has made no calls yet." />
            <ClientEntries
              title="Denials"
              client={name}
              filter={{ outcome: 'denied' }}
              none="None of its calls was denied."
            />
            {!client.isDefault && (
              <OnlyFor role="admin">
                <ClientForm key={name} client={client} />
              </OnlyFor>
            )}
          </>
        )}
      </Stack>
    </>
  );
}

/** The open sessions of a client. */
function ClientSessions({ name }: { name: string }) {
  const sessions = useSessions(name);
  const items = sessions.data?.items;
  return (
    <Section title="Sessions" about="Only programs with a protocol version before 2026-07-28 have them.">
      <QueryState query={sessions} />
      {items && items.length > 0 && (
        <DataTable label="Sessions" columns={SESSION_COLUMNS} rows={items} keyOf={({ id }) => id} />
      )}
      {items?.length === 0 && <Text c="dimmed">It has no open session.</Text>}
      <LoadMore pages={sessions} />
    </Section>
  );
}

function ClientFacts({ client }: { client: Client }) {
  const { groups, hasValidKey, createdAt, expiresAt, lastUsedAt, lastAddress, lastProgram } = client;
  return (
    <Section title="About">
      <Facts
        facts={{
          Access: hasValidKey ? 'It has a valid key' : 'Refused: it has no valid key',
          Groups: groups.length > 0 ? <Tags tags={groups} /> : 'None',
          Created: createdAt && <Ago at={createdAt} />,
          Expires: expiresAt && (isPast(expiresAt) ? <Ago at={expiresAt} /> : <Until at={expiresAt} />),
          'Last used': lastUsedAt === null ? 'Never' : <Ago at={lastUsedAt} />,
          From: lastAddress,
          With: lastProgram,
        }}
      />
    </Section>
  );
}

const isPast = (at: string): boolean => new Date(at) <= new Date();
