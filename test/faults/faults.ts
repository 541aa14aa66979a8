import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.js';
import type { TcpProxy } from './tcp-proxy.js';

export interface Fault {
  readonly name: string;
  readonly lastsMs: number;
  /** How long nothing can be saved: the service must not report ready during that time. */
  readonly unready: 'throughout' | 'at first' | 'perhaps';
  begin(): Promise<void>;
  end(): Promise<void>;
}

export interface BrokenPostgres {
  proxy: TcpProxy;
  /** A connection that bypasses the proxy. */
  direct: Database;
  name: string;
  /** The tablespace of the data, if it can be filled up; null = it can't. */
  tablespace: string | null;
}

export function postgresFaults({ proxy, direct, name, tablespace }: BrokenPostgres): Fault[] {
  const heal = async () => proxy.heal();
  const endBackends = async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${name} and pid <> pg_backend_pid()`.execute(direct);
  };
  /** Applies to new connections. */
  const makeReadOnly = async (isOn: boolean) => {
    await sql.raw(`alter database ${name} set default_transaction_read_only = ${isOn ? 'on' : 'off'}`).execute(direct);
  };
  return [
    { name: 'it stalls', lastsMs: 10_000, unready: 'throughout', begin: async () => proxy.stall(), end: heal },
    { name: 'it refuses', lastsMs: 2_000, unready: 'throughout', begin: async () => proxy.refuse(), end: heal },
    { name: 'connections are reset', lastsMs: 500, unready: 'perhaps', begin: async () => proxy.reset(), end: heal },
    { name: 'backends are ended', lastsMs: 500, unready: 'perhaps', begin: endBackends, end: endBackends },
    {
      name: 'it is a standby',
      lastsMs: 2_000,
      unready: 'throughout',
      begin: () => makeReadOnly(true).then(endBackends),
      // The primary is reached by new connections, and those to the standby stay open.
      end: () => makeReadOnly(false),
    },
    // A small row may still fit into freed space.
    ...(tablespace === null ? [] : [fullDisk(tablespace, 'perhaps')]),
  ];
}

/** @param dataDir the data folder of the service; `canBeFull`: it is on a disk that can be filled up */
export function sqliteFaults(dataDir: string, { canBeFull }: { canBeFull: boolean }): Fault[] {
  let other: DatabaseSync | null = null;
  const locked: Fault = {
    name: 'another process writes',
    lastsMs: 7_000,
    unready: 'throughout',
    begin: async () => {
      other = new DatabaseSync(join(dataDir, 'agent-service.db'), { timeout: 5_000 });
      other.exec('begin immediate');
    },
    end: async () => {
      other?.exec('rollback');
      other?.close();
    },
  };
  // SQLite frees space by itself when it checkpoints the WAL.
  return canBeFull ? [locked, fullDisk(dataDir, 'at first')] : [locked];
}

function fullDisk(folder: string, unready: Fault['unready']): Fault {
  const filler = join(folder, 'filler');
  return {
    name: 'the disk is full',
    lastsMs: 2_000,
    unready,
    begin: async () => {
      await mkdir(folder, { recursive: true });
      const file = await open(filler, 'w');
      const chunk = Buffer.alloc(64 * 1024, 1);
      try {
        for (let block = chunk; block.length >= 512;) {
          await file.write(block).catch(() => (block = block.subarray(0, block.length / 2)));
        }
      } finally {
        await file.close();
      }
    },
    end: () => rm(filler),
  };
}
