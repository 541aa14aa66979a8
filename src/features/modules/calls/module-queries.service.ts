import { Injectable } from '@nestjs/common';
import type { ModuleReply, ModuleRequest } from '#skill-host';
import { WorkflowSecrets } from '../../workflows/secrets/workflow-secrets.service.js';
import type { DeclaredUses } from '../declared/module.js';
import { assertMayRead, wantedQueryIn } from './allowed.js';
import { databaseAddressIn } from './database-address.rules.js';
import { unknownTlsIn } from '../../../platform/environment/postgres-tls.rules.js';
import { RequestRefused } from './module-calls.errors.js';
import { readOnlyQuery } from './read-only-query.js';

/** Each query has its own connection. */
const MOST_AT_ONCE = 10;

/** Reads from the databases that modules declare, by the URLs that administrators store as secrets. */
@Injectable()
export class ModuleQueries {
  private running = 0;

  constructor(private readonly secrets: WorkflowSecrets) {}

  /** @throws RequestRefused, WorkflowError (a secret that cannot be used), and the reason of the signal */
  async query({ value }: ModuleRequest, uses: DeclaredUses, signal: AbortSignal): Promise<ModuleReply> {
    const { database, ...query } = wantedQueryIn(value);
    assertMayRead(database, uses);
    const url = await this.urlOf(database);
    if (this.running >= MOST_AT_ONCE)
      throw new RequestRefused(`modules are reading ${MOST_AT_ONCE} times from databases: try again in a moment`);
    this.running += 1;
    try {
      return { value: JSON.stringify(await readOnlyQuery(url, query, signal)) };
    } finally {
      this.running -= 1;
    }
  }

  private async urlOf(database: string): Promise<string> {
    const { value, refusalOf } = await this.secrets.resolve(database);
    const url = typeof value === 'string' ? value : '';
    const address = databaseAddressIn(url);
    if (address === null)
      throw new RequestRefused(
        `the secret ${database} is no URL of a database: an administrator has to set it, such as postgresql://reader:password@host:5432/name`,
      );
    const unknown = unknownTlsIn(url);
    if (unknown !== null) throw new RequestRefused(`the secret ${database} says something unknown of TLS: ${unknown}`);
    const refusal = refusalOf({ url: address });
    if (refusal !== null) throw new RequestRefused(refusal);
    return url;
  }
}
