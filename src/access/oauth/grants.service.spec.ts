import { jest } from '@jest/globals';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { describeEachDatabase } from '../../platform/database/testing.js';
import { parseEnvironment } from '../../platform/environment/environment.js';
import { clientsOn } from '../clients/testing.js';
import { AccessTokens, keyOfGrant } from './access-tokens.service.js';
import { ArtifactStore } from './artifact.store.js';
import { GrantStore } from './grant.store.js';
import { Grants } from './grants.service.js';
import { OAuthHousekeeping } from './oauth-housekeeping.service.js';
import { ProgramStore } from './program.store.js';

const AUDIENCE = 'https://agents.example.com/mcp/oauth';
const TOKEN = 'a'.repeat(43);
const LATER = new Date('2100-01-01T00:00:00Z');

describeEachDatabase('what people have allowed, on a replica', (open) => {
  /** A replica on which ada has used a program. `hear` handles a message of another replica, or null. */
  const newReplica = async (endsAt = LATER) => {
    const database = await open();
    const times = { created_at: '', password_changed_at: '', last_login_at: null };
    const account = { name: 'ada', role: 'member', groups: '["ops"]', disabled: 0, password_hash: 'x', stamp: 's' };
    await database
      .insertInto('administrators')
      .values({ ...account, ...times })
      .execute();
    const { clients, sessions, events, sent } = await clientsOn({ database });
    const [store, artifacts] = [new GrantStore(database), new ArtifactStore(database)];
    const channel = new ReplicaChannel(parseEnvironment({}), database);
    const [on, tell] = [jest.spyOn(channel, 'on'), jest.spyOn(channel, 'notify')];
    const tokens = new AccessTokens(artifacts, store, clients, events);
    const grants = new Grants(store, tokens, sessions, events, channel);
    grants.onModuleInit();
    const hear = (detail: string | null) => on.mock.calls[0]?.[1](detail);
    const grant = { person: 'ada', program: 'p', name: 'P', host: 'h', proven: '', payload: {} };
    const allow = (id: string) => grants.add({ ...grant, id, createdAt: new Date(), expiresAt: endsAt });
    await allow('grant-one');
    const token = {
      kind: 'AccessToken',
      id: TOKEN,
      grantId: 'grant-one',
      payload: { aud: AUDIENCE },
      expiresAt: LATER,
    };
    await artifacts.save(token, new Date());
    const caller = async () => tokens.authenticate(TOKEN, AUDIENCE);
    expect(await caller()).toMatchObject({
      name: 'person:ada',
      groups: ['ops'],
      origin: { key: keyOfGrant('grant-one') },
    });
    const revoked = () => sent.flatMap(([name, event]) => (name === 'client.revoked' ? [event] : []));
    const housekeeping = new OAuthHousekeeping(artifacts, grants, new ProgramStore(database));
    const told = () => tell.mock.calls.map(([, detail]) => JSON.parse(detail ?? '') as object[]);
    return { database, store, artifacts, tokens, grants, sessions, housekeeping, allow, hear, told, caller, revoked };
  };
  afterEach(() => jest.restoreAllMocks());

  const ENDED = { client: 'person:ada', key: keyOfGrant('grant-one') };

  it('ends sessions of a grant that another replica has ended', async () => {
    const { store, hear, caller, revoked } = await newReplica();
    await store.delete({ id: 'grant-one' });
    await hear(JSON.stringify([ENDED]));
    expect([await caller(), revoked()]).toEqual([null, [ENDED]]);
  });

  it('deletes the sessions of a grant that ends, and none of the same person with another program', async () => {
    const { grants, sessions, allow } = await newReplica();
    await allow('grant-two');
    for (const grant of ['grant-one', 'grant-two'])
      await sessions.create({
        ...{ id: grant, client: 'person:ada', key: keyOfGrant(grant), protocolVersion: '2025-11-25', initialize: {} },
        ...{ logLevel: null, subscriptions: [], eventSeq: 0, lastSeenAt: new Date() },
      });
    await grants.end('grant-one');
    expect((await sessions.listPage({ limit: 10 })).items.map(({ id }) => id)).toEqual(['grant-two']);
  });

  it('does not cache a token whose grant ended while it was read', async () => {
    const { artifacts, tokens, grants, caller } = await newReplica();
    tokens.forget();
    const find = artifacts.findToken.bind(artifacts);
    jest.spyOn(artifacts, 'findToken').mockImplementationOnce(async (hash, now) => {
      const found = await find(hash, now);
      await grants.end('grant-one');
      return found;
    });
    await caller();
    expect(await caller()).toBeNull();
  });

  it('notifies the others of each grant that ends with a program, in messages of limited size', async () => {
    const { grants, allow, told } = await newReplica();
    for (let n = 0; n < 60; n += 1) await allow(`grant-of-machine-${n}`);
    await grants.endAll({ program: 'p' });
    expect(told().map(({ length }) => length)).toEqual([50, 11]);
    expect(told().flat()).toContainEqual(ENDED);
  });

  it('finds out by itself when it has missed the message, and leaves the others', async () => {
    const { store, hear, caller, revoked } = await newReplica();
    await hear(null);
    expect([(await caller())?.name, revoked()]).toEqual(['person:ada', []]);
    await store.delete({ id: 'grant-one' });
    await hear(null);
    expect([await caller(), revoked()]).toEqual([null, [ENDED]]);
  });

  it('keeps grants that are given and used during the cleanup', async () => {
    const { database, store, tokens, allow, hear, revoked } = await newReplica();
    const list = store.listInForce.bind(store);
    const [id, token] = ['b'.repeat(43), { kind: 'AccessToken', grantId: 'grant-two', payload: { aud: AUDIENCE } }];
    jest.spyOn(store, 'listInForce').mockImplementation(async (...asked) => {
      const found = await list(...asked);
      await allow('grant-two');
      await new ArtifactStore(database).save({ ...token, id, expiresAt: LATER }, new Date());
      expect(await tokens.authenticate(id, AUDIENCE)).toMatchObject({ name: 'person:ada' });
      return found;
    });
    await hear(null);
    expect([tokens.grantsInUse().size, revoked()]).toEqual([2, []]);
  });

  it('continues with cached grants while the database does not respond', async () => {
    const { store, hear, caller, revoked } = await newReplica();
    jest.spyOn(store, 'listInForce').mockRejectedValue(new Error('gone'));
    await expect(hear(null)).rejects.toThrow('gone');
    jest.spyOn(ArtifactStore.prototype, 'findToken').mockRejectedValue(new Error('gone'));
    expect([(await caller())?.name, revoked()]).toEqual(['person:ada', []]);
  });

  it('rejects tokens of an expired grant, and ends its sessions when it is deleted', async () => {
    const endsAt = new Date(Date.now() + 3_600_000);
    const { housekeeping, caller, revoked } = await newReplica(endsAt);
    jest.spyOn(Date, 'now').mockReturnValue(endsAt.getTime());
    expect([await caller(), revoked()]).toEqual([null, []]);
    await housekeeping.tick(endsAt);
    expect(revoked()).toEqual([ENDED]);
  });

  it('accepts a token at its own endpoint only', async () => {
    const { tokens } = await newReplica();
    expect(await tokens.authenticate(TOKEN, 'https://agents.example.com/mcp')).toBeNull();
    expect(await tokens.authenticate(TOKEN.slice(1), AUDIENCE)).toBeNull();
    expect(await tokens.authenticate('b'.repeat(43), AUDIENCE)).toBeNull();
  });
});
