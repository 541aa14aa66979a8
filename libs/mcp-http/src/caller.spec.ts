import type { ServerContext } from '@modelcontextprotocol/server';
import { authInfoOf, callerOf, isRevoked, keyOf, toProgram } from './caller.js';

describe('the key of a caller', () => {
  it('is the one that it came with, or none', () => {
    expect(keyOf({ name: 'alice', origin: { key: 'k1' } })).toBe('k1');
    expect(keyOf({ name: 'alice', origin: { key: null } })).toBeNull();
    expect(keyOf({ name: 'alice' })).toBeNull();
  });
});

describe('a caller is cut off', () => {
  const withKey = { name: 'alice', origin: { key: 'k1' } };

  it('with all keys of its client, or with its own', () => {
    expect(isRevoked(withKey, { client: 'alice' })).toBe(true);
    expect(isRevoked(withKey, { client: 'alice', key: undefined })).toBe(true);
    expect(isRevoked(withKey, { client: 'alice', key: 'k1' })).toBe(true);
  });

  it('neither with another key, nor with another client', () => {
    expect(isRevoked(withKey, { client: 'alice', key: 'k2' })).toBe(false);
    expect(isRevoked({ name: 'alice' }, { client: 'alice', key: 'k1' })).toBe(false);
    expect(isRevoked(withKey, { client: 'bob' })).toBe(false);
    expect(isRevoked(withKey, { client: 'bob', key: 'k1' })).toBe(false);
  });
});

describe('the caller of a request', () => {
  const contextWith = (http: unknown) => ({ http }) as ServerContext;

  it('reaches its handler as the same object', () => {
    const caller = { name: 'alice' };
    const authInfo = authInfoOf(caller);
    expect(authInfo).toEqual({ token: '', clientId: 'alice', scopes: [], extra: { caller } });
    expect(callerOf(contextWith({ authInfo }))).toBe(caller);
  });

  it.each([
    [undefined],
    [{}],
    [{ authInfo: { token: '', clientId: 'alice', scopes: [] } }],
    [{ authInfo: { extra: {} } }],
  ])('is unavailable to a handler that was called otherwise, with %j', (http) => {
    expect(() => callerOf(contextWith(http))).toThrow(
      new TypeError('this handler was not called through an McpEndpoint'),
    );
  });
});

describe('a program', () => {
  it('has the name that it sends', () => {
    expect(toProgram({ name: 'editor', version: '1.2', title: 'Editor' }, '2025-11-25')).toEqual({
      name: 'editor',
      version: '1.2',
      protocolVersion: '2025-11-25',
    });
  });

  it.each([[undefined], [null], ['editor'], [['editor']], [{}], [{ name: 7, version: null }]])(
    'is unknown that says no more than %j',
    (clientInfo) => {
      const unknown = { name: 'unknown', version: 'unknown', protocolVersion: '2026-07-28' };
      expect(toProgram(clientInfo, '2026-07-28')).toEqual(unknown);
    },
  );

  it('may have a long name and version, of which the beginning is kept', () => {
    const { name, version } = toProgram({ name: `${'n'.repeat(200)}x`, version: `${'v'.repeat(200)}x` }, '2026-07-28');
    expect([name, version]).toEqual(['n'.repeat(200), 'v'.repeat(200)]);
    expect(toProgram({ name: 'n'.repeat(200) }, '2026-07-28').name).toBe('n'.repeat(200));
  });
});
