import { showOnce } from '../../components/show-once';

export const showWebhookSecret = (name: string, secret: string): void =>
  showOnce({
    title: `The secret of ${name}`,
    text: 'Copy it now: it cannot be shown again. Its sender signs each message with it, as Standard Webhooks says.',
    secret,
  });
