import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { SEALING_KEY_MEANING, toSealingKey } from '../environment/sealing-key.rules.js';
import { SealingKeyUnusable } from './secrets.errors.js';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Reads the key from a file; returns null when there is no such file. @throws SealingKeyUnusable */
export function readSealingKey(path: string): Buffer | null {
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
export function writeSealingKey(path: string, key: Buffer): void {
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
