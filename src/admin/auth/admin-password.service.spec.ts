import { memoryDatabase } from '../../database/testing.js';
import { parseEnvironment } from '../../environment/environment.js';
import { SecretStore } from '../../secrets/secret.store.js';
import { SecretsService } from '../../secrets/secrets.service.js';
import { AdminPassword } from './admin-password.service.js';

const newSecrets = async () => new SecretsService(new SecretStore(await memoryDatabase()));

describe('AdminPassword', () => {
  it('is made at the first start, told once, and good from then on', async () => {
    const secrets = await newSecrets();
    const first = await AdminPassword.load(parseEnvironment({}), secrets);
    const second = await AdminPassword.load(parseEnvironment({}), secrets);
    expect(first.generated).toMatch(/^[\w-]{24}$/);
    expect(second.generated).toBeNull();
    expect(await second.matches(first.generated ?? '')).toBe(true);
    expect(await second.matches('something else')).toBe(false);
    expect(second.fingerprint()).toEqual(first.fingerprint());
  });

  it('is the one of the environment where there is one', async () => {
    const secrets = await newSecrets();
    const password = await AdminPassword.load(parseEnvironment({ ADMIN_PASSWORD: 'from-the-env' }), secrets);
    const other = await AdminPassword.load(parseEnvironment({ ADMIN_PASSWORD: 'another-one' }), secrets);
    expect(password.generated).toBeNull();
    expect(await password.matches('from-the-env')).toBe(true);
    expect(await password.matches('from-the-em')).toBe(false);
    expect(other.fingerprint()).not.toEqual(password.fingerprint());
  });

  it('is made anew once the environment has none any more: the one from before is not good again', async () => {
    const secrets = await newSecrets();
    const first = await AdminPassword.load(parseEnvironment({}), secrets);
    await AdminPassword.load(parseEnvironment({ ADMIN_PASSWORD: 'from-the-env' }), secrets);
    const later = await AdminPassword.load(parseEnvironment({}), secrets);
    expect(later.generated).toMatch(/^[\w-]{24}$/);
    expect(await later.matches(first.generated ?? '')).toBe(false);
  });
});
