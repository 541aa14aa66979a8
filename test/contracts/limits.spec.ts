import type { AdminRole } from '../../src/access/accounts/administrator.js';
import { AdministratorStore } from '../../src/access/accounts/administrator.store.js';
import { MOST_POLICIES } from '../../src/access/policy/policy.js';
import { cedarJson } from '../../src/access/policy/testing.js';
import { PolicyStore } from '../../src/access/policy/policy.store.js';
import { AccountIdentityStore } from '../../src/access/single-sign-on/account-identity.store.js';
import { MAX_PROVIDERS } from '../../src/access/single-sign-on/login-provider.js';
import { LoginProviderStore } from '../../src/access/single-sign-on/login-provider.store.js';
import { ModuleStore } from '../../src/features/modules/module.store.js';
import { PackageStore } from '../../src/features/packages/package.store.js';
import { packageOf } from '../../src/features/packages/testing.js';
import { MAX_SECRETS } from '../../src/features/workflows/secrets/workflow-secret.js';
import { WorkflowSecretStore } from '../../src/features/workflows/secrets/workflow-secret.store.js';
import { MAX_WEBHOOKS } from '../../src/features/workflows/triggers/webhooks/webhook.js';
import { WebhookStore } from '../../src/features/workflows/triggers/webhooks/webhook.store.js';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';

const AT = new Date('2026-11-26T10:00:00.000Z');
const BY = { by: 'ann', at: AT };
const FEW = 3;
const AT_ONCE = 6;
const PROVIDER = {
  ...{ title: 'T', issuer: 'https://login.example', clientId: 'c', scopes: [], personClaim: 'sub', groupsClaim: null },
  ...{ rules: [], makesAccounts: true, defaultRole: 'viewer' as AdminRole, enabled: true },
};
const moduleOf = (name: string) => ({
  ...{ name, file: `${name}.ts`, files: {}, javascript: {}, digest: 'd', skills: [] },
});

/** How to add one of each kind, and the maximum number. */
const KINDS: Record<string, { most: number; add: (database: Database, name: string) => Promise<unknown> }> = {
  accounts: {
    most: FEW,
    add: (database, name) =>
      new AdministratorStore(database).add(name, 'viewer', { passwordHash: 'h', stamp: 's', at: AT }, FEW),
  },
  'accounts of people who log in': {
    most: FEW,
    add: (database, name) =>
      new AccountIdentityStore(database).addAccount(
        { issuer: PROVIDER.issuer, subject: name },
        { name, role: 'viewer', groups: [], stamp: 's', at: AT },
        FEW,
      ),
  },
  'login providers': {
    most: MAX_PROVIDERS,
    add: (database, name) => new LoginProviderStore(database).add(name, PROVIDER, null, AT),
  },
  policies: {
    most: MOST_POLICIES,
    add: (database, name) =>
      new PolicyStore(database).add({
        ...{
          name,
          policy: 'permit(principal, action, resource);',
          compiled: cedarJson('permit(principal, action, resource);'),
        },
        ...{ enabled: true, updatedAt: AT, updatedBy: 'ann' },
      }),
  },
  secrets: {
    most: MAX_SECRETS,
    add: async (database, name) =>
      (await new WorkflowSecretStore(database).save(name, { sealed: 'x', updatedAt: AT })) ? 'added' : 'full',
  },
  webhooks: {
    most: MAX_WEBHOOKS,
    add: (database, name) =>
      new WebhookStore(database).add({
        ...{ name, eventType: 't', enabled: true, createdAt: AT, lastReceivedAt: null, sealedSecret: 's' },
      }),
  },
  'skill packages': {
    most: FEW,
    add: (database, name) => new PackageStore(database).save(packageOf(name), { source: 'upload', ...BY, most: FEW }),
  },
  'skill modules': {
    most: FEW,
    add: (database, name) => new ModuleStore(database).save(moduleOf(name), 'upload', BY, FEW),
  },
};

describeEachDatabase('as many as there may be', (open) => {
  it.each(Object.entries(KINDS))('are there, and no more, when several add at once: %s', async (_, { most, add }) => {
    const database = await open();
    await database.deleteFrom('policies').execute();
    for (let n = 1; n < most; n += 1) await add(database, `n${n}`);
    const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, (_one, n) => add(database, `last-${n}`)));
    expect(outcomes.filter((outcome) => outcome !== 'full')).toHaveLength(1);
    expect(await add(database, 'more')).toBe('full');
  });

  it('are there when removed packages are restored', async () => {
    const store = new PackageStore(await open());
    for (const name of ['a', 'b']) {
      await store.save(packageOf(name), { source: 'upload', ...BY, most: FEW });
      await store.remove(name, BY);
    }
    for (const name of ['c', 'd']) await store.save(packageOf(name), { source: 'upload', ...BY, most: FEW });
    const restored = await Promise.all(['a', 'b'].map((name) => store.restore(name, { ...BY, most: FEW })));
    expect(restored.sort()).toEqual(['full', 'restored']);
    expect(await store.restore('none', { ...BY, most: FEW })).toBe('missing');
  });

  it('keep a secret from being added, and not from being changed', async () => {
    const store = new WorkflowSecretStore(await open());
    for (let n = 0; n < MAX_SECRETS; n += 1) await store.save(`n${n}`, { sealed: 'x', updatedAt: AT });
    expect(await store.save('more', { sealed: 'x', updatedAt: AT })).toBe(false);
    expect(await store.save('n1', { sealed: 'y', updatedAt: AT })).toBe(true);
  });
});
