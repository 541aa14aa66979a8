import { OnlyFor } from '../../components/OnlyFor';
import { Paper, Stack } from '@mantine/core';
import { useOverview } from '../../api/overview';
import { EmptyState } from '../../components/EmptyState';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { AddWebhookForm } from './AddWebhookForm';
import { useWebhooks } from './use-webhooks';
import { WebhooksTable } from './WebhooksTable';

export default function WebhooksPage() {
  const query = useWebhooks();
  const webhooks = query.data;
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
        <QueryState query={query} />
        {webhooks && (
          <Paper withBorder p="md">
            {webhooks.length > 0 ? (
              <WebhooksTable webhooks={webhooks} origin={origin} />
            ) : (
              <EmptyState title="No webhooks yet">
                Add one for each system that is to start workflows, and give that system its address and its secret.
              </EmptyState>
            )}
          </Paper>
        )}
      </Stack>
    </>
  );
}
