import { Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { DeleteButton } from '../../../components/DeleteButton';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { useClient, useDeleteClient } from '../use-clients';
import { ClientEntries } from './ClientEntries';
import { ClientFacts } from './ClientFacts';
import { ClientForm } from './ClientForm';
import { ClientKeys } from './ClientKeys';
import { ClientSessions } from './ClientSessions';
import { ClientToolsSection } from './ClientToolsSection';

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
