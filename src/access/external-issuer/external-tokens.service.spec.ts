import { jest } from '@jest/globals';
import { recordedEvents } from '../../platform/events/testing.js';
import type { ClientsService } from '../clients/clients.service.js';
import type { LoginAccounts } from '../single-sign-on/login-accounts.service.js';
import type { StoredProvider } from '../single-sign-on/login-provider.js';
import { ExternalTokens } from './external-tokens.service.js';
import type { TokenValidation, ValidToken } from './token-validation.service.js';

const HOUR_MS = 3_600_000;

describe('a token of another issuer', () => {
  let asked: number;
  let tokens: ExternalTokens;

  beforeEach(() => {
    jest.useFakeTimers();
    asked = 0;
    const valid = (): ValidToken => ({
      provider: {} as StoredProvider,
      claims: { iss: 'https://login.example', sub: 'ann' },
      endsAtMs: Date.now() + HOUR_MS,
      isAsked: true,
    });
    const validation = { validate: async () => ((asked += 1), valid()) } as Partial<TokenValidation>;
    const accounts = { callerOf: async () => 'ann' } as Partial<LoginAccounts>;
    const clients = { find: (name: string) => ({ name, groups: [] }) } as Partial<ClientsService>;
    const { events } = recordedEvents();
    tokens = new ExternalTokens(
      ...([validation as TokenValidation, accounts as LoginAccounts, clients as ClientsService, events] as const),
    );
  });
  afterEach(() => void jest.useRealTimers());

  const call = () => tokens.authenticate('opaque', 'https://service.example/mcp');

  it('is asked about every half minute', async () => {
    await call();
    jest.advanceTimersByTime(29_999);
    await call();
    expect(asked).toBe(1);
    jest.advanceTimersByTime(1);
    await call();
    expect(asked).toBe(2);
  });

  it('is asked about in time also after the clock was set back', async () => {
    await call();
    jest.setSystemTime(Date.now() - 24 * HOUR_MS);
    jest.advanceTimersByTime(30_000);
    await call();
    expect(asked).toBe(2);
  });

  it('is asked about again when the clock passes its end', async () => {
    await call();
    jest.setSystemTime(Date.now() + HOUR_MS);
    await call();
    expect(asked).toBe(2);
  });
});
