import { randomBytes } from 'node:crypto';
import { join, dirname } from 'node:path';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Environment } from '../environment/environment.js';
import { toSealingKey, SEALING_KEY_MEANING } from '../environment/sealing-key.rules.js';
import { seal, type SealedText, unseal } from './sealed-text.rules.js';
import { SealingKeyMissing, SealingKeyMoved, SealingKeyUnusable } from './secrets.errors.js';
import { SecretsService } from './secrets.service.js';

const IN_TABLE = 'settings';

interface Keys {
  /** Null until something is sealed for the first time. */
  current: Buffer | null;
  /**
   * Returns the key to seal with: the current one while it is valid; otherwise generates one, or uses the one that another
   * process has generated.
   */
  toSealWith: (current: Buffer | null) => Promise<Buffer>;
  /** Keys that can still open texts, which should then be re-sealed with the current key. */
  former: readonly Buffer[];
  /** Deletes the previous key from the table of secrets. */
  forget: () => Promise<void>;
  /** Returns the current key in the table of secrets; null when there is none. */
  findInTable: () => Promise<Buffer | null>;
  /** True when that is the key to seal with. */
  isShared: boolean;
}

interface Opened {
  text: string;
  byFormerKey: boolean;
}

/**
 * Seals and opens credentials. The key comes from SECRETS_KEY; or else from a file: SECRETS_KEY_FILE, or secrets.key in the
 * folder of the embedded database; or else from the table of secrets, which all replicas on a PostgreSQL share.
 */
export class SealingKeys {
  private constructor(private readonly keys: Keys) {}

  /** Loads the configured keys. @throws SealingKeyUnusable, SealingKeyMissing */
  static async load(environment: Environment, secrets: SecretsService): Promise<SealingKeys> {
    return new SealingKeys(await keysOf(environment, secrets));
  }

  /** Uses the key in the table of secrets, regardless of the environment. */
  static inTable(secrets: SecretsService): SealingKeys {
    return new SealingKeys(tableKeys(secrets, null));
  }

  /** Returns whether the key is in the database, and so in an export of it, together with the data that it seals. */
  static async isInTable(secrets: SecretsService): Promise<boolean> {
    return (await secrets.find(IN_TABLE)) !== null;
  }

  /** @throws SealingKeyMoved, SealingKeyUnusable */
  async seal(text: string, purpose: string): Promise<SealedText> {
    this.keys.current = await this.keys.toSealWith(this.keys.current);
    return seal(text, this.keys.current, purpose);
  }

  /** Decrypts a text; returns null when no key opens it. */
  async open(sealed: SealedText, purpose: string): Promise<Opened | null> {
    const { current, former } = this.keys;
    const opened = openedBy(current ? [current, ...former] : former, sealed, purpose);
    if (opened) return { text: opened.text, byFormerKey: opened.key !== current };
    // Another replica may have stored a key there since this one started.
    const inTable = await this.keys.findInTable();
    const openedAfterAll = openedBy(inTable ? [inTable] : [], sealed, purpose);
    return openedAfterAll && { text: openedAfterAll.text, byFormerKey: !this.keys.isShared };
  }

  /** Deletes the previous key from the database. Call it when nothing is sealed with previous keys any more. */
  forgetFormer(): Promise<void> {
    return this.keys.forget();
  }
}

function openedBy(keys: readonly Buffer[], sealed: SealedText, purpose: string): { text: string; key: Buffer } | null {
  for (const key of keys) {
    const text = unseal(sealed, key, purpose);
    if (text !== null) return { text, key };
  }
  return null;
}

async function keysOf(environment: Environment, secrets: SecretsService): Promise<Keys> {
  const inTable = await secrets.find(IN_TABLE);
  const table = {
    forget: async () => {
      if (inTable) await secrets.forget(IN_TABLE);
    },
    findInTable: () => secrets.find(IN_TABLE),
    isShared: false,
  };
  const ownFile = environment.DATABASE_URL === null ? join(environment.DATA_DIR, 'secrets.key') : null;
  const [given, ...givenBefore] = givenKeys(environment);
  if (given) {
    const inOwnFile = ownFile === null ? null : readSealingKey(ownFile);
    const former = [...givenBefore, inOwnFile, inTable].filter((key) => key !== null);
    return { current: given, toSealWith: async () => given, former, ...table };
  }
  if (ownFile === null) return tableKeys(secrets, inTable);
  const inOwnFile = readSealingKey(ownFile);
  // Moves the key out of the database that holds the sealed data: writes the file before `forget` deletes the row.
  if (inOwnFile === null && inTable) writeSealingKey(ownFile, inTable);
  return {
    current: inOwnFile ?? inTable,
    toSealWith: async (current) => current ?? made(ownFile),
    former: inTable ? [inTable] : [],
    ...table,
  };
}

/** Returns the keys from the environment, the current one first. @throws SealingKeyUnusable, SealingKeyMissing */
function givenKeys({ SECRETS_KEY, SECRETS_KEY_FILE }: Environment): Buffer[] {
  const inFile = SECRETS_KEY_FILE === null ? null : readSealingKey(SECRETS_KEY_FILE);
  // A key generated here would hide a mistyped path, and differ on each replica.
  if (SECRETS_KEY_FILE !== null && SECRETS_KEY === null && !inFile) throw new SealingKeyMissing(SECRETS_KEY_FILE);
  const key = SECRETS_KEY === null ? null : toSealingKey(SECRETS_KEY);
  return [key, inFile].filter((one) => one !== null);
}

function tableKeys(secrets: SecretsService, current: Buffer | null): Keys {
  return {
    current,
    toSealWith: async (known) => {
      const inTable = await secrets.find(IN_TABLE);
      // Nobody could open data sealed with a deleted key.
      if (inTable === null && known !== null) throw new SealingKeyMoved();
      return inTable ?? secrets.get(IN_TABLE);
    },
    former: [],
    forget: async () => undefined,
    findInTable: () => secrets.find(IN_TABLE),
    isShared: true,
  };
}

function made(path: string): Buffer {
  // The file may have been restored since the start.
  const known = readSealingKey(path);
  if (known) return known;
  const key = randomBytes(32);
  writeSealingKey(path, key);
  return key;
}

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Reads the key from a file; returns null when there is no such file. @throws SealingKeyUnusable */
function readSealingKey(path: string): Buffer | null {
  const text = textOf(path);
  if (text === null) return null;
  const key = toSealingKey(text);
  if (key === null) throw new SealingKeyUnusable(path, `it must hold ${SEALING_KEY_MEANING}`);
  return key;
}

/**
 * Writes a new key file that only its owner can read; it is on the disk when this returns.
 * @throws SealingKeyUnusable
 */
function writeSealingKey(path: string, key: Buffer): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
    const file = openSync(path, 'wx', OWNER_ONLY);
    try {
      writeSync(file, `${key.toString('base64')}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new SealingKeyUnusable(path, reasonOf(error));
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return null;
    throw new SealingKeyUnusable(path, reasonOf(error));
  }
}

const reasonOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? error);
