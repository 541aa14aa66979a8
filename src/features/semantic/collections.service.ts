import { Injectable } from '@nestjs/common';
import type { Collection } from './collection.js';

@Injectable()
export class Collections {
  private readonly known: Collection[] = [];

  get all(): readonly Collection[] {
    return this.known;
  }

  register(collection: Collection): void {
    this.known.push(collection);
  }
}
