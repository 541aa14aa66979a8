import { explained, isRefusal } from './database-failure.rules.js';
import { DatabaseUnavailable, ReferenceGone } from './database.errors.js';

const failure = (properties: object, message = 'it failed') => Object.assign(new Error(message), properties);

describe('a failure of the database', () => {
  it.each([
    [
      'a full disk',
      { code: 'ERR_SQLITE_ERROR', errcode: 13 },
      /the disk is full, and nothing was saved: make room where DATA_DIR is/,
    ],
    ['a file that is locked', { code: 'ERR_SQLITE_ERROR', errcode: 5 }, /another process keeps it locked/],
    ['an error of the disk, in detail', { code: 'ERR_SQLITE_ERROR', errcode: 10 | (3 << 8) }, /check the disk/],
    ['a read that was given up', { code: 'ERR_SQLITE_ERROR', errcode: 9 }, /a read took too long/],
    ['a file that is gone', { code: 'ERR_SQLITE_ERROR', errcode: 14 }, /cannot be opened/],
    // SQLite would apply a log that is left behind to the restored file, and damage it.
    ['a damaged file', { code: 'ERR_SQLITE_ERROR', errcode: 11 }, /move all files agent-service\.db\* out of DATA_DIR/],
    ['another file', { code: 'ERR_SQLITE_ERROR', errcode: 26 }, /move all files agent-service\.db\* out of DATA_DIR/],
    ['a full disk of PostgreSQL', { code: '53100' }, /the disk of PostgreSQL is full/],
    ['too many connections', { code: '53300' }, /max_connections/],
    ['a server that stops', { code: '57P01' }, /shutting down/],
    ['a server that is gone', { code: 'ECONNREFUSED' }, /PostgreSQL does not answer \(ECONNREFUSED\)/],
    ['a server whose name is not found for a while', { code: 'EAI_AGAIN' }, /PostgreSQL does not answer \(EAI_AGAIN\)/],
    [
      'a certificate that has expired',
      { code: 'CERT_HAS_EXPIRED' },
      /certificate .* not accepted \(CERT_HAS_EXPIRED\)/,
    ],
    ['a certificate for another host', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /certificate .* not accepted/],
    ['a certificate of an unknown authority', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, /check sslrootcert/],
    ['a password that was changed', { code: '28P01' }, /refuses the user or the password: check DATABASE_URL/],
    ['a database that was renamed', { code: '3D000' }, /no such database: check DATABASE_URL/],
    ['a statement that took too long', { code: '57014' }, /took too long/],
    ['a lock that is not given up', { code: '55P03' }, /holds a lock/],
    ['a standby', { code: '25006' }, /names the primary/],
    ['a disk of PostgreSQL that fails', { code: '58030' }, /cannot read or write its files: check its log/],
    ['a damaged index of PostgreSQL', { code: 'XX002' }, /its data is damaged: check its log/],
    ['a transaction that took too long', { code: '25P04' }, /took too long/],
    [
      'whatever else ends a session, such as a pooler without free connections',
      { code: 'XX000', severity: 'FATAL' },
      /PostgreSQL ended the connection \(XX000\)/,
    ],
    ['a user without rights', { code: '42501' }, /make it the owner of the schema/],
  ])('says what to do about %s', (_title, properties, message) => {
    const error = failure(properties);
    const told = explained(error);
    expect(told).toBeInstanceOf(DatabaseUnavailable);
    expect(told).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 10, cause: error });
    expect((told as Error).message).toMatch(message);
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'timeout expired',
    'There was an error establishing an SSL connection',
    'Client was closed and is not queryable',
    'Client has encountered a connection error and is not queryable',
  ])('recognises a broken connection by the message: %s', (message) => {
    const found = explained(failure({}, message));
    expect(found).toBeInstanceOf(DatabaseUnavailable);
    expect(found).toMatchObject({ message: expect.stringContaining('the connection to PostgreSQL broke') as string });
  });

  it('says so when PostgreSQL has no TLS', () => {
    const found = explained(failure({}, 'The server does not support SSL connections'));
    expect(found).toBeInstanceOf(DatabaseUnavailable);
    expect(String(found)).toContain('does not encrypt connections, which sslmode in DATABASE_URL demands');
  });

  it.each([
    ['a full disk', { code: 'ERR_SQLITE_ERROR', errcode: 13 }, true],
    ['a full disk of PostgreSQL', { code: '53100' }, true],
    ['a standby', { code: '25006' }, true],
    ['a lock', { code: 'ERR_SQLITE_ERROR', errcode: 5 }, false],
    ['a server that restarts', { code: '57P01' }, false],
    ['a connection that broke', { code: 'ECONNRESET' }, false],
  ])('knows whether %s passes by itself', (_title, properties, isLasting) => {
    expect(explained(failure(properties))).toMatchObject({ isLasting });
  });

  it.each([
    ['a read that was given up', { code: 'ERR_SQLITE_ERROR', errcode: 9 }, true],
    ['a statement that took too long', { code: '57014' }, true],
    ['a lock', { code: '55P03' }, false],
    ['a full disk', { code: 'ERR_SQLITE_ERROR', errcode: 13 }, false],
  ])('knows whether %s was too slow', (_title, properties, isTooSlow) => {
    expect(explained(failure(properties))).toMatchObject({ isTooSlow });
  });

  it.each([
    ['SQLite', { code: 'ERR_SQLITE_ERROR', errcode: 787 }],
    ['PostgreSQL', { code: '23503' }],
  ])('says that the parent of a row is gone on %s', (_title, properties) => {
    const error = failure(properties);
    expect(explained(error)).toBeInstanceOf(ReferenceGone);
    expect(explained(error)).toMatchObject({ kind: 'conflict', cause: error });
  });

  it.each([
    ['a value that is too long for SQLite', { code: 'ERR_SQLITE_ERROR', errcode: 18 }, true],
    ['a constraint of SQLite, in detail', { code: 'ERR_SQLITE_ERROR', errcode: 19 | (7 << 8) }, true],
    ['a character that PostgreSQL cannot hold', { code: '22021' }, true],
    ['a constraint of PostgreSQL', { code: '23514' }, true],
    ['a row whose parent is gone', { code: '23503' }, true],
    ['a key that is too long for an index', { code: '54000' }, true],
    ['a full disk', { code: 'ERR_SQLITE_ERROR', errcode: 13 }, false],
    ['a server that stops', { code: '57P01' }, false],
    ['transactions that are in the way of each other', { code: '40001' }, false],
    ['a server whose name is not found', { code: 'EAI_AGAIN' }, false],
    ['anything else', {}, false],
  ])('knows whether %s is refused whenever it is tried', (_title, properties, expected) => {
    expect(isRefusal(explained(failure(properties)))).toBe(expected);
  });

  it('knows what cannot be sent to a database', () => {
    expect(isRefusal(new RangeError('Invalid string length'))).toBe(true);
    expect(isRefusal('it failed')).toBe(false);
  });

  it.each([
    ['a constraint', { code: 'ERR_SQLITE_ERROR', errcode: 19 }],
    ['a wrong statement', { code: '42601' }],
    ['a bug', { code: 'XX000', severity: 'ERROR' }],
    ['anything else', {}],
  ])('is left unchanged when %s is to blame', (_title, properties) => {
    const error = failure(properties);
    expect(explained(error)).toBe(error);
  });
});
