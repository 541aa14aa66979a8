import { Injectable } from '@nestjs/common';
import { SealingKeys } from '../../../platform/secrets/sealing-keys.service.js';
import { SEALED_COLUMNS } from '../../../platform/secrets/sealed-columns.store.js';
import type { DeclaredUses } from '../declared/module.js';
import { ModuleStore, type StateOwner } from '../module.store.js';
import { assertHasState, assertStateFits } from './allowed.js';
import { RequestRefused } from './module-calls.errors.js';

const { purposeOf } = SEALED_COLUMNS.moduleStates;

/** Stores the state of a module between its calls, sealed. */
@Injectable()
export class ModuleStates {
  constructor(
    private readonly store: ModuleStore,
    private readonly sealing: SealingKeys,
  ) {}

  /** Returns JSON; null when there is none. @throws RequestRefused */
  async read(module: StateOwner, uses: DeclaredUses): Promise<string> {
    assertHasState(uses);
    const sealed = await this.store.readState(module);
    const opened = sealed === undefined ? null : await this.sealing.open({ sealed }, purposeOf(module.name));
    return opened?.text ?? 'null';
  }

  /** @param value JSON @throws RequestRefused */
  async write(module: StateOwner, uses: DeclaredUses, value: string): Promise<void> {
    assertHasState(uses);
    assertStateFits(value);
    const { sealed } = await this.sealing.seal(value, purposeOf(module.name));
    if (!(await this.store.writeState(module, sealed, new Date())))
      throw new RequestRefused('the state was not kept: the module was removed');
  }
}
