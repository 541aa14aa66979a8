import { Injectable } from '@nestjs/common';
import { RunEventStore } from './run-event.store.js';
import { RunStateStore } from './run-state.store.js';
import { StepStore } from './step.store.js';

@Injectable()
export class EngineStores {
  constructor(
    readonly states: RunStateStore,
    readonly steps: StepStore,
    readonly events: RunEventStore,
  ) {}
}
