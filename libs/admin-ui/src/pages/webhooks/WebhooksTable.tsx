import { OnlyFor } from '../../components/OnlyFor';
import { Code, Group, Text } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { CopyButton } from '../../components/CopyButton';
import { type Column, DataTable } from '../../components/DataTable';
import { EnabledSwitch } from '../../components/EnabledSwitch';
import { Ago } from '../../components/Moment';
import { showDone, showError } from '../../components/notices';
import { RowButton } from '../../components/RowButton';
import { useDeleteWebhook, useRotateWebhook, useSetWebhookEnabled, type Webhook } from './use-webhooks';

interface WebhooksTableProps {
  webhooks: readonly Webhook[];
  /** Public origin of the service, such as `https://agents.example.com`. */
  origin: string;
}

export function WebhooksTable({ webhooks, origin }: WebhooksTableProps) {
  return <DataTable label="Webhooks" columns={columnsFor(origin)} rows={webhooks} keyOf={({ name }) => name} />;
}

const columnsFor = (origin: string): readonly Column<Webhook>[] => [
  {
    title: 'Webhook',
    render: ({ name, path }) => (
      <div>
        <Text fw={600}>{name}</Text>
        <Group gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{origin + path}</Code>
          <CopyButton value={origin + path} what={`address of ${name}`} />
        </Group>
      </div>
    ),
  },
  { title: 'Event type', render: ({ eventType }) => <Code>{eventType}</Code> },
  { title: 'Last message', render: ({ lastReceivedAt }) => (lastReceivedAt ? <Ago at={lastReceivedAt} /> : 'Never') },
  { title: 'Enabled', render: (webhook) => <WebhookSwitch webhook={webhook} /> },
  {
    title: 'Actions',
    render: ({ name }) => (
      <OnlyFor role="editor">
        <WebhookActions name={name} />
      </OnlyFor>
    ),
  },
];

function WebhookSwitch({ webhook: { name, enabled } }: { webhook: Webhook }) {
  return <EnabledSwitch name={name} enabled={enabled} role="editor" change={useSetWebhookEnabled(name)} />;
}

function WebhookActions({ name }: { name: string }) {
  const rotate = useRotateWebhook(name);
  const remove = useDeleteWebhook(name);
  const askToRotate = () =>
    confirm({
      title: `Make a new secret for ${name}?`,
      text: 'Messages signed with the current secret are refused, until their sender has the new one.',
      confirm: 'Make new secret',
      onConfirm: () => rotate.mutate(),
    });
  const askToRemove = () =>
    confirm({
      title: `Delete ${name}?`,
      text: 'Messages to it are refused from then on.',
      confirm: 'Delete webhook',
      onConfirm: () => void remove.mutateAsync().then(() => showDone(`${name} is deleted.`), showError),
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
