import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/environment/environment.js';

/** Knows where people see runs. */
@Injectable()
export class RunPages {
  constructor(private readonly environment: Environment) {}

  /** Returns the address of the page of a run; only its path when no PUBLIC_URL is set. */
  of(id: string): string {
    return `${this.environment.PUBLIC_URL ?? ''}/admin/runs/${id}`;
  }
}
