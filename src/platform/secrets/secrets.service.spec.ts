import { memoryDatabase } from '../database/testing.js';
import { SecretStore } from './secret.store.js';
import { SecretsService } from './secrets.service.js';

describe('SecretsService', () => {
  it('creates a secret once, the same for every process', async () => {
    const store = new SecretStore(await memoryDatabase());
    const processes = [new SecretsService(store), new SecretsService(store), new SecretsService(store)];
    const [first, ...others] = await Promise.all(processes.map((secrets) => secrets.get('state')));
    expect(first).toHaveLength(32);
    expect(others).toEqual([first, first]);
    expect(await new SecretsService(store).get('other')).not.toEqual(first);
  });

  it('tells only the process whose secret was kept that it created it', async () => {
    const store = new SecretStore(await memoryDatabase());
    const made = await Promise.all(
      ['a', 'b'].map((value) => new SecretsService(store).getOrCreate('password', async () => value)),
    );
    expect(made.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(made.map(({ value }) => value)).size).toBe(1);
  });
});
