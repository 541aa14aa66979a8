import { Webhook } from 'standardwebhooks';
import type { TestService } from './service.js';

interface Sent {
  id?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
  secret: string;
}

/** Sends a signed message to a webhook; `headers` override the valid ones. */
export async function sendToWebhook(
  service: TestService,
  name: string,
  { id = 'msg_1', body = '{"a":1}', headers, secret }: Sent,
) {
  const at = new Date();
  const response = await fetch(new URL(`/hooks/${name}`, service.origin), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body.toString()),
      ...headers,
    },
    body,
  });
  const answer = (await response.json()) as { status: number | string; code?: string; detail?: string };
  return { response, answer, outcome: [response.status, answer.code ?? answer.status] };
}
