import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';

/** Resolves host names with the system's resolver. */
@Injectable()
export class HostResolver {
  resolve(host: string): Promise<LookupAddress[]> {
    return lookup(host, { all: true });
  }
}
