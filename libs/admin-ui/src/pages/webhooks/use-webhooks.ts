import { api, type Schemas, useChange, useList } from '../../api/client';
import { showError } from '../../components/notices';
import { showOnce } from '../../components/show-once';

export type Webhook = Schemas['WebhookView'];

const WEBHOOKS_KEY = ['webhooks'];
const REFRESH_MS = 15_000;

export const useWebhooks = () =>
  useList(WEBHOOKS_KEY, () => api.GET('/admin/api/webhooks'), {
    // Messages may arrive at any time.
    refetchInterval: REFRESH_MS,
  });

/** Creates a webhook, and shows its secret, even if the page has been left in the meantime. */
export const useCreateWebhook = () =>
  useChange([WEBHOOKS_KEY], (body: Schemas['NewWebhookBody']) => api.POST('/admin/api/webhooks', { body }), {
    onSuccess: ({ name, secret }) => showWebhookSecret(name, secret),
  });

export const useSetWebhookEnabled = (name: string) =>
  useChange([WEBHOOKS_KEY], (enabled: boolean) =>
    api.PUT('/admin/api/webhooks/{name}', { params: { path: { name } }, body: { enabled } }),
  );

/** Creates a secret, and shows it, even if the page has been left in the meantime. */
export const useRotateWebhook = (name: string) =>
  useChange([WEBHOOKS_KEY], () => api.POST('/admin/api/webhooks/{name}/rotate', { params: { path: { name } } }), {
    onSuccess: ({ secret }) => showWebhookSecret(name, secret),
    onError: showError,
  });

export const useDeleteWebhook = (name: string) =>
  useChange([WEBHOOKS_KEY], () => api.DELETE('/admin/api/webhooks/{name}', { params: { path: { name } } }));

const showWebhookSecret = (name: string, secret: string): void =>
  showOnce({
    title: `The secret of ${name}`,
    text: 'Copy it now: it cannot be shown again. Its sender signs each message with it (Standard Webhooks).',
    secret,
  });
