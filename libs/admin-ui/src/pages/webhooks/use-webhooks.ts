import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { showError } from '../../components/notices';
import { showWebhookSecret } from './show-webhook-secret';

export type Webhook = Schemas['WebhookView'];

const WEBHOOKS_KEY = ['webhooks'];
const REFRESH_MS = 15_000;

export function useWebhooks() {
  return useQuery({
    queryKey: WEBHOOKS_KEY,
    queryFn: async () => (await bodyOf(api.GET('/admin/api/webhooks'))).items,
    // Messages may arrive at any time.
    refetchInterval: REFRESH_MS,
  });
}

/** Creates a webhook, and shows its secret, even if the page has been left in the meantime. */
export function useCreateWebhook() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Schemas['NewWebhookBody']) => bodyOf(api.POST('/admin/api/webhooks', { body })),
    onSuccess: ({ name, secret }) => showWebhookSecret(name, secret),
    onSettled: refresh,
  });
}

export function useSetWebhookEnabled(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (enabled: boolean) =>
      bodyOf(api.PUT('/admin/api/webhooks/{name}', { params: { path: { name } }, body: { enabled } })),
    onSettled: refresh,
  });
}

/** Creates a secret, and shows it, even if the page has been left in the meantime. */
export function useRotateWebhook(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => bodyOf(api.POST('/admin/api/webhooks/{name}/rotate', { params: { path: { name } } })),
    onSuccess: ({ secret }) => showWebhookSecret(name, secret),
    onError: showError,
    onSettled: refresh,
  });
}

export function useDeleteWebhook(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/webhooks/{name}', { params: { path: { name } } }),
    onSettled: refresh,
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: WEBHOOKS_KEY });
}
