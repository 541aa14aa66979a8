import { AppError } from '../../platform/errors/app-error.js';
import { MODULE_NAME_RULE, MOST_MODULES } from './declared/module.js';

export class ModuleNotFound extends AppError {
  constructor(name: string, part = '') {
    const what = part === '' ? `There is no skill module ${name}` : `The skill module ${name} has no ${part}`;
    super('not_found', 'modules.not_found', `${what}. The list of skill modules says what there is.`);
  }
}

export class InvalidModule extends AppError {
  constructor(
    file: string,
    readonly problems: readonly string[],
  ) {
    const count = problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`;
    super('invalid', 'modules.invalid', `${file} has ${count}: ${problems[0] ?? ''}`, {
      fields: problems.map((message) => ({ path: file, message })),
    });
  }
}

/** Thrown when checking a module was interrupted, possibly by something else. */
export class ModuleNotChecked extends AppError {
  constructor(file: string, reason: string) {
    super('unavailable', 'modules.not_checked', `${file} could not be looked at: ${reason}. Try again.`);
  }
}

export class InvalidModuleFile extends AppError {
  constructor() {
    const message = `a skill module needs a name such as weather (${MODULE_NAME_RULE}), which is that of its .ts, .mts, .js or .mjs file, or of its folder with index.ts`;
    super('invalid', 'modules.invalid_file', message);
  }
}

export class ModuleFromFolder extends AppError {
  constructor(name: string) {
    const message = `The skill module ${name} comes from a file in SKILLS_DIR: change or remove it there.`;
    super('conflict', 'modules.from_folder', message);
  }
}

export class ModuleNameTaken extends AppError {
  constructor(name: string) {
    const message = `a skill module ${name} was uploaded in the administration: remove it there, or rename this file`;
    super('conflict', 'modules.name_taken', message);
  }
}

export class TooManyModules extends AppError {
  constructor() {
    super('conflict', 'modules.too_many', `There are ${MOST_MODULES} skill modules already: remove one first.`);
  }
}

export class ModuleChanged extends AppError {
  constructor(name: string) {
    const message = `The skill module ${name} has changed meanwhile: look at its newest version, and approve that.`;
    super('conflict', 'modules.changed', message);
  }
}

export class InvalidModuleSettings extends AppError {
  constructor(fields: readonly { path: string; message: string }[]) {
    const [first] = fields;
    super('invalid', 'modules.invalid_settings', `${first?.path ?? ''} ${first?.message ?? ''}`, { fields });
  }
}

export class ModuleSettingsConflict extends AppError {
  constructor(name: string, basedOn: number) {
    const message =
      `The settings of ${name} have changed since version ${basedOn}. Nothing was changed. ` +
      'Read them again, and base the change on that version.';
    super('outdated', 'modules.settings_moved_on', message);
  }
}

export class SampleNotFound extends AppError {
  constructor(name: string, names: readonly string[]) {
    const message = `No skill module ${name} comes with the service. Those that do: ${names.join(', ')}.`;
    super('not_found', 'modules.sample_not_found', message);
  }
}

export class SampleThere extends AppError {
  constructor(name: string) {
    const message = `There is a skill module ${name} already. To add the one that comes with the service, remove that one first.`;
    super('conflict', 'modules.sample_there', message);
  }
}

/** Thrown when a path leads to no skill module. */
export class NotASkillModule extends AppError {
  constructor(path: string, isThere: boolean) {
    const what = isThere ? `${path} is no skill module` : `There is no file ${path}`;
    const advice = 'name a .ts, .mts, .js or .mjs file, or a folder with an index.ts';
    super('not_found', 'modules.not_a_module', `${what}: ${advice}.`);
  }
}
