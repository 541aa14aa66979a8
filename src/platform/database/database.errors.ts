import { AppError } from '../errors/app-error.js';

/** Thrown when the folder for the embedded database can't be created or written. */
export class DataDirNotWritable extends AppError {
  constructor(path: string, reason: string) {
    super(
      'unavailable',
      'database.data_dir_not_writable',
      `the data folder ${path} is not writable (${reason}): make it writable for this user, or set DATA_DIR to another folder`,
    );
  }
}

/** Thrown when a command needs the embedded database of a service, and it does not exist. */
export class NoData extends AppError {
  constructor(path: string) {
    super(
      'not_found',
      'database.no_data',
      `there is no database of the service in ${path}: set DATA_DIR to the folder that the service uses, or DATABASE_URL`,
    );
  }
}

/** Thrown when another service process uses the embedded database. */
export class DataDirInUse extends AppError {
  constructor(path: string) {
    super(
      'conflict',
      'database.data_dir_in_use',
      `another process of the service uses the data folder ${path}: stop it, or set DATA_DIR to another folder. Several ` +
        'replicas need PostgreSQL: set DATABASE_URL.',
    );
  }
}

/** Thrown when PostgreSQL does not answer, or refuses the connection. */
export class DatabaseUnreachable extends AppError {
  /** @param refusal why PostgreSQL itself refuses, and what to do; null = it did not answer */
  constructor(url: string, reason: string, refusal: string | null = null) {
    const asWritten = databaseOf(url) === null ? ` (${AS_WRITTEN})` : '';
    super(
      'unavailable',
      'database.unreachable',
      `the database at ${withoutPassword(url)} can't be used (${reason}): ` +
        (refusal ?? `check DATABASE_URL${asWritten}, and that PostgreSQL is running`),
    );
  }
}

/** Thrown when a PostgreSQL database has an encoding that cannot hold every text, or counts bytes as characters. */
export class EncodingNotSupported extends AppError {
  constructor(url: string, encoding: string) {
    super(
      'unavailable',
      'database.encoding_not_supported',
      `the database at ${withoutPassword(url)} has the encoding ${encoding}: create one with the encoding UTF8, as by ` +
        'createdb --encoding=UTF8 --template=template0',
    );
  }
}

/** Thrown when a connection pooler gives the sessions of PostgreSQL to several clients in turn. */
export class SessionsShared extends AppError {
  constructor(url: string) {
    super(
      'unavailable',
      'database.sessions_shared',
      `${withoutPassword(url)} is a connection pooler that shares sessions between clients, which locks and notifications do ` +
        'not survive: let DATABASE_URL name the database itself, or a pool with pool_mode = session',
    );
  }
}

/** Thrown when the database fails, and the request is not to blame. */
export class DatabaseUnavailable extends AppError {
  /** True when the failure lasts until somebody acts. */
  readonly isLasting: boolean;
  /** True when the disk is full; nothing was changed then. */
  readonly isDiskFull: boolean;
  /** True when a statement took too long: it waited for another one, or always does. */
  readonly isTooSlow: boolean;

  constructor(
    readonly problem: string,
    { cause, isLasting, isDiskFull = false, isTooSlow = false }: FailureKind,
  ) {
    super('unavailable', 'database.unavailable', `the database can't be used now: ${problem}`, {
      retryAfterSeconds: 10,
    });
    this.cause = cause;
    this.isLasting = isLasting;
    this.isDiskFull = isDiskFull;
    this.isTooSlow = isTooSlow;
  }
}

interface FailureKind {
  cause: unknown;
  isLasting: boolean;
  isDiskFull?: boolean;
  isTooSlow?: boolean;
}

/** Thrown when a row is written whose parent was deleted after it was read, by another request or replica. */
export class ReferenceGone extends AppError {
  constructor(cause: unknown) {
    super(
      'conflict',
      'database.reference_gone',
      'what this belongs to was deleted in the meantime, and nothing was saved: reload, and try again if it is still there',
    );
    this.cause = cause;
  }
}

/** Thrown when the database was written by a newer version of the service. */
export class SchemaTooNew extends AppError {
  constructor(unknown: string[]) {
    super(
      'unavailable',
      'database.schema_too_new',
      `the database was written by another version of this service (it has the migrations ${unknown.join(', ')}): start that version, or restore a backup that this one has made`,
    );
  }
}

/** Thrown when an import is refused; the database is unchanged. */
export class ImportRefused extends AppError {
  constructor(reason: string) {
    super('invalid', 'database.import_refused', reason);
  }
}

const HAS_OTHERS = ', and belongs to another program: name an empty database or schema in DATABASE_URL';
/** Whether PostgreSQL has a relation of the same name. */
const isTaken = (cause: unknown): boolean => (Object(cause) as { code?: unknown }).code === '42P07';

/** Thrown when a migration fails; the database is unchanged. */
export class MigrationFailed extends AppError {
  constructor(cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const reason =
      cause instanceof DatabaseUnavailable ? cause.problem : `${message}${isTaken(cause) ? HAS_OTHERS : ''}`;
    super('unavailable', 'database.migration_failed', `the database could not be brought up to date: ${reason}`);
    this.cause = cause;
  }
}

const AS_WRITTEN = 'in its password, write @ as %40, / as %2F, : as %3A, # as %23 and ? as %3F';

/** Returns a description of the URL's database without the password. */
export function withoutPassword(url: string): string {
  return databaseOf(url) ?? 'DATABASE_URL';
}

/**
 * Returns null when the URL is invalid, or a special character in the password ends its authority part early, so that the host is
 * a part of the password.
 */
function databaseOf(url: string): string | null {
  const parsed = URL.parse(url);
  if (!parsed) return null;
  const { hostname, port, pathname, search, hash } = parsed;
  if (`${pathname}${search}${hash}`.includes('@') || pathname.lastIndexOf('/') > 0) return null;
  return `${hostname}${port && `:${port}`}${pathname}`;
}
