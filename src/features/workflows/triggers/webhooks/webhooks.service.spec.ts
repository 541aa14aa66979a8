import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Webhook as Signer } from 'standardwebhooks';
import type { Database } from '../../../../platform/database/database.js';
import { describeEachDatabase, everythingIn } from '../../../../platform/database/testing.js';
import { parseEnvironment } from '../../../../platform/environment/environment.js';
import { SealedColumns } from '../../../../platform/secrets/sealed-columns.store.js';
import { SealingKeys } from '../../../../platform/secrets/sealing-keys.service.js';
import { SecretStore } from '../../../../platform/secrets/secret.store.js';
import { SecretsService } from '../../../../platform/secrets/secrets.service.js';
import { replicaOn } from '../testing.js';
import { WebhookReceiver } from './webhook-receiver.service.js';
import { WebhookStore } from './webhook.store.js';
import { Webhooks } from './webhooks.service.js';

const NOON = new Date('2026-11-21T12:00:00Z');

describeEachDatabase('webhooks', (open) => {
  let database: Database;
  beforeEach(async () => void (database = await open()));

  const secrets = () => new SecretsService(new SecretStore(database));
  const sealing = () => SealingKeys.inTable(secrets());
  const webhooks = (keys = sealing()) => new Webhooks(new WebhookStore(database), keys);
  async function receiver(keys = sealing()) {
    const { runs } = await replicaOn(database, []);
    const publish = jest.spyOn(runs, 'publish');
    return { receiver: new WebhookReceiver(new WebhookStore(database), keys, runs), publish };
  }
  const codeOf = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => ({ code: 'none' }),
      (thrown: unknown) => thrown,
    );
    return (Object(error) as { code?: string }).code;
  };
  /** Returns the headers and body that a sender would create for a message. */
  function signed(secret: string, body: string, { id = 'msg_1', at = new Date() } = {}) {
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': new Signer(secret).sign(id, at, body),
    };
    return { headers, body: Buffer.from(body) };
  }
  const send = async (
    { receiver: to }: Awaited<ReturnType<typeof receiver>>,
    { headers, body }: { headers: Record<string, string>; body: Buffer },
  ) => to.take(await to.announce('orders', headers), body, NOON);

  it('are made with a secret that is shown once, listed, disabled and removed', async () => {
    const made = await webhooks().create('orders', 'shop.order.placed', NOON);
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await webhooks().create('alarms', 'house.alarm', NOON);
    const [, listed] = await webhooks().list();
    expect(listed).toEqual({
      name: 'orders',
      eventType: 'shop.order.placed',
      enabled: true,
      createdAt: NOON,
      lastReceivedAt: null,
    });
    expect((await webhooks().setEnabled('orders', false)).enabled).toBe(false);
    await webhooks().remove('orders');
    expect((await webhooks().list()).map(({ name }) => name)).toEqual(['alarms']);
    for (const work of [
      () => webhooks().remove('orders'),
      () => webhooks().rotate('orders'),
      () => webhooks().setEnabled('orders', true),
    ]) {
      expect(await codeOf(work())).toBe('webhooks.webhook_not_found');
    }
  });

  it('are not made with names and types that cannot be used', async () => {
    await webhooks().create('taken', 'a.b');
    const refused = { name: 'webhooks.invalid_name', type: 'webhooks.invalid_event_type' };
    for (const [name, eventType, code] of [
      ['taken', 'a.b', 'webhooks.webhook_exists'],
      ['a/b', 'a.b', refused.name],
      ['', 'a.b', refused.name],
      ['orders', 'a b', refused.type],
      // Types reserved for the service itself: senders could otherwise answer for a person.
      ['orders', 'person.answered', refused.type],
      ['orders', 'document.saved', refused.type],
    ] as const) {
      expect([name, eventType, await codeOf(webhooks().create(name, eventType))]).toEqual([name, eventType, code]);
    }
    expect((await webhooks().list()).map(({ name }) => name)).toEqual(['taken']);
  });

  it('are limited in number', async () => {
    for (let n = 0; n < 200; n += 1) await webhooks().create(`hook-${n}`, 'a.b');
    expect(await codeOf(webhooks().create('one-more', 'a.b'))).toBe('webhooks.too_many');
  });

  it('make an event of a message', async () => {
    const madeAt = new Date('2026-11-20T12:00:00Z');
    const { secret } = await webhooks().create('orders', 'shop.order.placed', madeAt);
    const at = new Date();
    const there = await receiver();
    await send(there, signed(secret, '{"total":120,"note":"a\\u0000b"}', { at }));
    expect(there.publish.mock.calls).toEqual([
      [
        {
          specversion: '1.0',
          // The same each time: a message that is sent again after a crash starts nothing anew.
          sourcesince: madeAt.toISOString(),
          id: 'msg_1',
          source: '/hooks/orders',
          type: 'shop.order.placed',
          time: new Date(Math.floor(at.getTime() / 1000) * 1000).toISOString(),
          datacontenttype: 'application/json',
          data: { total: 120, note: 'ab' },
        },
      ],
    ]);
    expect((await webhooks().list())[0]?.lastReceivedAt).toEqual(NOON);
  });

  it('accept a message once, also when it is signed again and sent to another replica', async () => {
    const { secret } = await webhooks().create('orders', 'shop.order.placed');
    const [one, other] = [await receiver(), await receiver()];
    const at = new Date(Date.now() - 60_000);
    await send(one, signed(secret, '{}', { at }));
    expect(await codeOf(send(one, signed(secret, '{}', { at })))).toBe('webhooks.message_repeated');
    expect(await codeOf(send(other, signed(secret, '{}')))).toBe('webhooks.message_repeated');
    expect(other.publish).not.toHaveBeenCalled();
    await send(other, signed(secret, '{}', { id: 'msg_2' }));
    const both = [one, other].map((there) => codeOf(send(there, signed(secret, '{}', { id: 'msg_3' }))));
    expect((await Promise.all(both)).sort()).toEqual(['none', 'webhooks.message_repeated']);
  });

  it('are not found by a message during which they are removed', async () => {
    const { secret } = await webhooks().create('orders', 'shop.order.placed');
    const there = await receiver();
    there.publish.mockImplementationOnce(() => webhooks().remove('orders'));
    expect(await codeOf(send(there, signed(secret, '{}')))).toBe('webhooks.webhook_not_found');
  });

  it('take a message again that could not be published', async () => {
    const { secret } = await webhooks().create('orders', 'shop.order.placed');
    const there = await receiver();
    there.publish.mockRejectedValueOnce(new Error('away'));
    await expect(send(there, signed(secret, '{}'))).rejects.toThrow('away');
    await send(there, signed(secret, '{}'));
    expect(there.publish).toHaveBeenCalledTimes(2);
  });

  it('refuse a message that is not signed as it should be', async () => {
    const { secret } = await webhooks().create('orders', 'shop.order.placed');
    const there = await receiver();
    const cases: [string, { headers: Record<string, string>; body: Buffer }][] = [
      ['another secret', signed(`whsec_${Buffer.alloc(32).toString('base64')}`, '{}')],
      ['another body', { ...signed(secret, '{}'), body: Buffer.from('{ }') }],
      ['another id', withHeader(signed(secret, '{}'), 'webhook-id', 'msg_2')],
      ['another time', withHeader(signed(secret, '{}'), 'webhook-timestamp', '1700000000')],
      ['an old time', signed(secret, '{}', { at: new Date(Date.now() - 301_000) })],
      ['a time to come', signed(secret, '{}', { at: new Date(Date.now() + 302_000) })],
      ['no signature', withHeader(signed(secret, '{}'), 'webhook-signature', '')],
      ['half a signature', withHeader(signed(secret, '{}'), 'webhook-signature', 'v1,')],
      ['a signature of another kind', withHeader(signed(secret, '{}'), 'webhook-signature', 'v1a,AAAA')],
      ['a time that is none', withHeader(signed(secret, '{}'), 'webhook-timestamp', '1e9')],
      ['an endless id', signed(secret, '{}', { id: 'm'.repeat(201) })],
      ['an id that is not visible', signed(secret, '{}', { id: 'm\u0000' })],
    ];
    for (const [title, message] of cases) {
      expect([title, await codeOf(send(there, message))]).toEqual([title, 'webhooks.invalid_signature']);
    }
    expect(there.publish).not.toHaveBeenCalled();
  });

  it('take a message that is also signed with another secret', async () => {
    const { secret } = await webhooks().create('orders', 'shop.order.placed');
    const message = signed(secret, '{}');
    const both = `v1,${'A'.repeat(43)}= ${message.headers['webhook-signature']}`;
    await send(await receiver(), withHeader(message, 'webhook-signature', both));
  });

  it('refuse a body that is not JSON, or nested too deep', async () => {
    const { secret } = await webhooks().create('orders', 'shop.order.placed');
    const there = await receiver();
    const deep = '['.repeat(40) + ']'.repeat(40);
    for (const body of [Buffer.from('hello'), Buffer.from(''), Buffer.from([0x22, 0xff, 0x22]), Buffer.from(deep)]) {
      const message = { ...signed(secret, body.toString('utf8')), body };
      expect(await codeOf(send(there, message))).toBe('webhooks.invalid_message');
    }
  });

  it('take nothing while disabled, and nothing signed with a previous secret', async () => {
    const { secret } = await webhooks().create('orders', 'shop.order.placed');
    const there = await receiver();
    await webhooks().setEnabled('orders', false);
    expect(await codeOf(send(there, signed(secret, '{}')))).toBe('webhooks.webhook_not_found');
    await webhooks().setEnabled('orders', true);
    const rotated = await webhooks().rotate('orders');
    expect(await codeOf(send(there, signed(secret, '{}')))).toBe('webhooks.invalid_signature');
    await send(there, signed(rotated.secret, '{}'));
  });

  it('forget old messages, and those of a webhook that is removed', async () => {
    const store = new WebhookStore(database);
    await webhooks().create('orders', 'a.b');
    await webhooks().create('alarms', 'a.b');
    await store.addMessage('orders', 'old', NOON);
    await store.addMessage('orders', 'new', new Date('2026-11-22T12:00:00Z'));
    await store.addMessage('alarms', 'new', NOON);
    await store.pruneMessages(new Date('2026-11-22T00:00:00Z'));
    expect(await Promise.all(['old', 'new'].map((id) => store.hasMessage('orders', id)))).toEqual([false, true]);
    await webhooks().remove('orders');
    await webhooks().create('orders', 'a.b');
    expect(await store.hasMessage('orders', 'new')).toBe(false);
  });

  it('keep their secrets in no table in clear, and through a change of the key', async () => {
    const { secret } = await webhooks().create('orders', 'shop.order.placed');
    const everything = await everythingIn(database);
    expect(everything).toContain('shop.order.placed');
    expect(everything).not.toContain(secret.replace('whsec_', ''));
    const environment = parseEnvironment({ SECRETS_KEY: 'a new passphrase', DATABASE_URL: 'postgres://never-used' });
    const keys = await SealingKeys.load(environment, secrets());
    await new SealedColumns(database).reseal(keys);
    await keys.forgetFormer();
    await send(await receiver(keys), signed(secret, '{}'));
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    expect(await codeOf(send(await receiver(), signed(secret, '{}')))).toBe('webhooks.invalid_signature');
    expect(warn.mock.calls).toEqual([['the secret of the webhook orders cannot be decrypted: rotate it']]);
    warn.mockRestore();
  });
});

const withHeader = <Message extends { headers: Record<string, string> }>(
  message: Message,
  name: string,
  value: string,
): Message => ({ ...message, headers: { ...message.headers, [name]: value } });
