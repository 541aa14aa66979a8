import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';

/** Asks the system where a host is. */
@Injectable()
export class HostResolver {
  resolve(host: string): Promise<LookupAddress[]> {
    return lookup(host, { all: true });
  }
}
