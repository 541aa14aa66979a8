import { jest } from '@jest/globals';
import * as jose from 'jose';
import { IssuerUnavailable } from './external-issuer.errors.js';
import { SigningKeys } from './signing-keys.js';

const MINUTE = 60_000;
type Answer = { keys: object[] } | Error;

describe('SigningKeys', () => {
  let now: number;
  let answer: Answer;
  let reads: number;
  let keys: SigningKeys;
  const pairs = new Map<string, jose.GenerateKeyPairResult>();
  beforeAll(async () => {
    for (const kid of ['a', 'b', 'c']) pairs.set(kid, await jose.generateKeyPair('ES256', { extractable: true }));
  });
  const documentOf = async (...kids: string[]) => ({
    keys: await Promise.all(
      kids.map(async (kid) => {
        const pair = pairs.get(kid);
        return { ...(pair && (await jose.exportJWK(pair.publicKey))), kid, alg: 'ES256' };
      }),
    ),
  });
  beforeEach(async () => {
    [now, reads, answer] = [0, 0, await documentOf('a')];
    const read = () => {
      reads += 1;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    keys = new SigningKeys(jose, 'https://login.example.com', read, () => now);
  });
  const find = async (kid: string) => {
    const header = { alg: 'ES256', kid };
    return keys.find(header, { payload: '', signature: '', protected: '' });
  };
  const settle = () => new Promise(setImmediate);

  it('are read once for all who need them', async () => {
    await Promise.all([find('a'), find('a'), find('a')]);
    now = 9 * MINUTE;
    await find('a');
    expect(reads).toBe(1);
  });

  it('are read again when a token names an unknown one, but not for each', async () => {
    await find('a');
    answer = await documentOf('b');
    await expect(find('b')).rejects.toThrow(jose.errors.JWKSNoMatchingKey);
    now = 30_000;
    await find('b');
    await expect(find('c')).rejects.toThrow(jose.errors.JWKSNoMatchingKey);
    await expect(find('a')).rejects.toThrow(jose.errors.JWKSNoMatchingKey);
    expect(reads).toBe(2);
  });

  it('are read again also when the clock is set back', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      keys = new SigningKeys(jose, 'https://login.example.com', async () => answer);
      await find('a');
      answer = await documentOf('b');
      jest.setSystemTime(Date.now() - 60 * MINUTE);
      jest.advanceTimersByTime(30_000);
      await expect(find('b')).resolves.toBeDefined();
    } finally {
      jest.useRealTimers();
    }
  });

  it('are read again after ten minutes, so that one that was withdrawn is worth nothing', async () => {
    await find('a');
    answer = await documentOf('b');
    now = 10 * MINUTE;
    // The refresh runs in the background.
    await find('a');
    await settle();
    await expect(find('a')).rejects.toThrow(jose.errors.JWKSNoMatchingKey);
    await find('b');
    expect(reads).toBe(2);
  });

  it('go on while they cannot be read', async () => {
    await find('a');
    answer = new Error('down');
    for (let minute = 10; minute < 60; minute += 10) {
      now = minute * MINUTE;
      await find('a');
      await settle();
    }
    expect(reads).toBe(6);
    // The validity of an unknown key id cannot be determined now.
    await expect(find('b')).rejects.toThrow(IssuerUnavailable);
    answer = await documentOf('b');
    now += 5_000;
    await find('b');
  });

  it('that were never read are tried every five seconds', async () => {
    answer = new Error('down');
    for (let times = 0; times < 10; times += 1) await expect(find('a')).rejects.toThrow('down');
    expect(reads).toBe(1);
    now = 5_000;
    answer = await documentOf('a');
    await find('a');
    expect(reads).toBe(2);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['no list', { keys: 'none' }],
    ['texts', { keys: ['a'] }],
    ['too many', { keys: Array.from({ length: 101 }, () => ({ kty: 'EC' })) }],
  ])('that are %s are the fault of the issuer', async (_name, document) => {
    answer = document as Answer;
    await expect(find('a')).rejects.toThrow(IssuerUnavailable);
  });
});
