import { Code, Group, Stack, Text } from '@mantine/core';
import { useOverview } from '../../api/overview';
import { confirm } from '../../components/confirm';
import { CopyButton } from '../../components/CopyButton';
import { type Columns, TablePanel } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { EnabledSwitch } from '../../components/EnabledSwitch';
import { Ago } from '../../components/Moment';
import { showOutcome } from '../../components/notices';
import { OnlyFor } from '../../components/OnlyFor';
import { PageHeader } from '../../components/PageHeader';
import { RowButton } from '../../components/RowButton';
import { SearchField } from '../../components/SearchField';
import { useFoundRows } from '../../components/use-found-rows';
import { AddWebhookForm } from './AddWebhookForm';
import { useDeleteWebhook, useRotateWebhook, useSetWebhookEnabled, useWebhooks, type Webhook } from './use-webhooks';

const columnsFor = (origin: string): Columns<Webhook> => ({
  Webhook: ({ name, path }) => (
    <div>
      <Text fw={600}>{name}</Text>
      <Group gap="xs">
        <Code style={{ overflowWrap: 'anywhere' }}>{origin + path}</Code>
        <CopyButton value={origin + path} what={`address of ${name}`} />
      </Group>
    </div>
  ),
  'Event type': ({ eventType }) => <Code>{eventType}</Code>,
  'Last message': ({ lastReceivedAt }) => (lastReceivedAt ? <Ago at={lastReceivedAt} /> : 'Never'),
  Enabled: (webhook) => <WebhookSwitch webhook={webhook} />,
  Actions: ({ name }) => (
    <OnlyFor role="editor">
      <WebhookActions name={name} />
    </OnlyFor>
  ),
});

const textsOf = ({ name, eventType }: Webhook) => [name, eventType];

export default function WebhooksPage() {
  const query = useWebhooks();
  const { field, settledSearch, found, pages } = useFoundRows(query.data, textsOf);
  const { data: overview } = useOverview();
  const origin = overview?.mcpUrl ? new URL(overview.mcpUrl).origin : window.location.origin;
  return (
    <>
      <PageHeader
        title="Webhooks"
        about="Addresses that other systems send signed messages to. Each message becomes an event that starts workflows, or that runs wait for."
      />
      <Stack>
        <OnlyFor role="editor">
          <AddWebhookForm />
        </OnlyFor>
        <SearchField label="Search webhooks" placeholder="Part of a name or an event type" {...field} />
        <TablePanel
          label="Webhooks"
          query={query}
          columns={columnsFor(origin)}
          rows={found}
          keyOf={({ name }) => name}
          pages={pages}
          empty={
            <EmptyState title={settledSearch ? 'No webhook found' : 'No webhooks yet'}>
              {settledSearch
                ? 'Try a shorter search.'
                : 'Add one for each system that is to start workflows, and give that system its address and its secret.'}
            </EmptyState>
          }
        />
      </Stack>
    </>
  );
}

function WebhookSwitch({ webhook: { name, enabled } }: { webhook: Webhook }) {
  return <EnabledSwitch name={name} enabled={enabled} role="editor" change={useSetWebhookEnabled(name)} />;
}

function WebhookActions({ name }: { name: string }) {
  const rotate = useRotateWebhook(name);
  const remove = useDeleteWebhook(name);
  const askToRotate = () =>
    confirm({
      title: `Create a new secret for ${name}?`,
      text: 'Messages signed with the current secret are refused, until their sender has the new one.',
      confirm: 'Create new secret',
      onConfirm: () => rotate.mutate(),
    });
  const askToRemove = () =>
    confirm({
      title: `Delete ${name}?`,
      text: 'Messages to it are refused from then on.',
      confirm: 'Delete webhook',
      onConfirm: () => showOutcome(remove.mutateAsync(), `${name} is deleted.`),
    });
  return (
    <Group gap="xs">
      <RowButton of={name} isBusy={rotate.isPending} onClick={askToRotate}>
        New secret
      </RowButton>
      <RowButton of={name} isBusy={remove.isPending} onClick={askToRemove}>
        Delete
      </RowButton>
    </Group>
  );
}
