import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../environment/environment.js';
import { EnvironmentModule } from '../environment/environment.module.js';
import { RateLimitStore } from './rate-limit.store.js';
import { DatabaseTrimming } from './database-trimming.service.js';
import { DatabaseProbe, DatabaseTroubles } from './database-probe.service.js';
import { Database } from './database.js';
import { KeyValueStore } from './key-value.store.js';
import { DataFolderLock } from './data-folder-lock.js';
import { openDatabase, SERVING } from './open-database.js';
import { ReplicaChannel } from './replica-channel.service.js';
import { ReplicaStore } from './replica.store.js';
import { StopDeadline } from './stop-deadline.js';

@Module({
  imports: [EnvironmentModule],
  providers: [
    {
      provide: Database,
      useFactory: (environment: Environment, troubles: DatabaseTroubles, deadline: StopDeadline) =>
        openDatabase(environment, { limits: SERVING, onUnavailable: troubles.noteNow, within: deadline.within }),
      // The folder is locked before anything is read or changed.
      inject: [Environment, DatabaseTroubles, StopDeadline, DataFolderLock],
    },
    {
      provide: DataFolderLock,
      useFactory: (environment: Environment) => DataFolderLock.take(environment),
      inject: [Environment],
    },
    StopDeadline,
    DatabaseTroubles,
    DatabaseProbe,
    DatabaseTrimming,
    RateLimitStore,
    KeyValueStore,
    ReplicaChannel,
    ReplicaStore,
  ],
  exports: [RateLimitStore, Database, DatabaseProbe, KeyValueStore, ReplicaChannel, ReplicaStore],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly lock: DataFolderLock,
    private readonly deadline: StopDeadline,
  ) {}

  // Modules that write import this one, so it shuts down last, and they can still write in their shutdown hooks.
  async onApplicationShutdown(): Promise<void> {
    // The process ends soon after: what cannot be closed in time is cut.
    await this.deadline.within(() => this.database.destroy()).catch(() => undefined);
    this.lock.release();
  }
}
