import { Kysely } from 'kysely';
import type { Tables } from './tables.js';

/** The open, migrated database; inject this class. */
export abstract class Database extends Kysely<Tables> {}
