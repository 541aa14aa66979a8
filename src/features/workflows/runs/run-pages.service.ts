import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/environment/environment.js';

@Injectable()
export class RunPages {
  constructor(private readonly environment: Environment) {}

  /** Returns the URL of the page of a run; only its path when PUBLIC_URL is not set. */
  of(id: string): string {
    return `${this.environment.PUBLIC_URL ?? ''}/admin/runs/${id}`;
  }
}
