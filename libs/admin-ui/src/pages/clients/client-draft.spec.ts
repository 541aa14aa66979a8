import { draftOf, toBody, toChange } from './client-draft';
import type { Client } from './use-clients';

const LIMITS = { requestsPerMinute: 60, calls: null, streams: null, sessions: 5 };

const client = (expiresAt: string | null): Client => ({
  name: 'ci',
  isDefault: false,
  hasValidKey: true,
  note: 'the pipeline',
  groups: ['robots'],
  limits: LIMITS,
  keys: [],
  expiresAt,
  createdAt: null,
  lastUsedAt: null,
  lastAddress: null,
  lastProgram: null,
});

describe('the draft of a client', () => {
  it.each([null, '2026-03-01T12:30:15.000Z', '2026-10-25T00:30:00.000Z'])('comes back as it was: %s', (expiresAt) => {
    expect(toBody(draftOf(client(expiresAt)))).toEqual({
      note: 'the pipeline',
      groups: ['robots'],
      limits: LIMITS,
      expiresAt,
    });
  });

  it('changes only what differs, also of the limits', () => {
    const saved = draftOf(client(null));
    expect(toChange(saved, saved)).toEqual({});
    expect(toChange({ ...saved, note: 'mine', calls: '7', sessions: '' }, saved)).toEqual({
      note: 'mine',
      limits: { calls: 7, sessions: null },
    });
  });
});
