import type { DefinitionProblem } from '#open-workflow';
import { AppError } from '../../../platform/errors/app-error.js';

export class WorkflowNotFound extends AppError {
  constructor(name: string, version?: string, instead = 'list the workflows, or save it first') {
    const what =
      version === undefined ? `workflow ${JSON.stringify(name)}` : `version ${version} of ${JSON.stringify(name)}`;
    super('not_found', 'workflows.not_found', `there is no ${what}: ${instead}`);
  }
}

export class WorkflowDisabled extends AppError {
  constructor(name: string) {
    super('conflict', 'workflows.disabled', `the workflow ${JSON.stringify(name)} is disabled: enable it to start it`);
  }
}

export class VersionNotApproved extends AppError {
  constructor(name: string, version: string) {
    super(
      'conflict',
      'workflows.version_not_approved',
      `version ${version} of ${JSON.stringify(name)} is a proposal: an administrator can make it the current one`,
    );
  }
}

const MOST_NAMED = 20;

export class TaskNotFound extends AppError {
  constructor(workflow: string, task: string, places: readonly string[]) {
    const named = places.slice(0, MOST_NAMED).join(', ');
    super(
      'not_found',
      'workflows.task_not_found',
      `there is no task ${JSON.stringify(task.slice(0, 100))} in ${JSON.stringify(workflow)}: the outermost are ${named}`,
    );
  }
}

export class InvalidWorkflow extends AppError {
  constructor(readonly problems: readonly DefinitionProblem[]) {
    const errors = problems.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    const count = `${errors.length} ${errors.length === 1 ? 'mistake' : 'mistakes'}`;
    const example = first ? ` in line ${first.line}: ${first.path} ${first.message}` : '';
    super('invalid', 'workflows.invalid_definition', `the workflow has ${count}; the first is${example}`, {
      fields: errors.map(({ path, line, column, message }) => ({ path, line, column, message })),
    });
  }
}

export class WorkflowConflict extends AppError {
  constructor(name: string) {
    super(
      'outdated',
      'workflows.moved_on',
      `somebody has changed the workflow ${JSON.stringify(name)}, or enabled or disabled it, in the meantime. Nothing was saved. Look at it, and save again if you still want to.`,
    );
  }
}

export class VersionHasRun extends AppError {
  constructor(name: string, version: string) {
    super(
      'conflict',
      'workflows.version_has_run',
      `version ${version} of ${JSON.stringify(name)} has run and can't be changed: raise document.version, and save it again`,
    );
  }
}

export class VersionProposed extends AppError {
  constructor(name: string, version: string) {
    super(
      'conflict',
      'workflows.version_proposed',
      `version ${version} of ${JSON.stringify(name)} is a proposal of an assistant, which would be lost: raise document.version and save it again, or make the proposal the current version first`,
    );
  }
}

/** Thrown when a client proposes another text for a version. */
export class VersionTaken extends AppError {
  constructor(name: string, version: string) {
    super(
      'conflict',
      'workflows.version_taken',
      `version ${version} of ${JSON.stringify(name)} has another text: raise document.version, and propose it again`,
    );
  }
}

export class TooManyProposals extends AppError {
  constructor(most: number) {
    super(
      'conflict',
      'workflows.too_many_proposals',
      `you have proposed ${most} versions in 24 hours: check a text with workflow_check before you propose it, and go on tomorrow`,
    );
  }
}

export class WorkflowNameTaken extends AppError {
  constructor(name: string, by: string) {
    super(
      'conflict',
      'workflows.name_taken',
      `the name ${JSON.stringify(name)} is taken by ${by}: choose another document.name`,
    );
  }
}

export class WorkflowNameDiffers extends AppError {
  constructor(wanted: string, given: string) {
    const message = `document.name is ${JSON.stringify(given)}, but ${JSON.stringify(wanted)} is being saved: a workflow keeps its name`;
    super('invalid', 'workflows.name_differs', message, { fields: [{ path: '/document/name', message }] });
  }
}

export class WorkflowFromFile extends AppError {
  constructor(name: string, file: string) {
    super(
      'conflict',
      'workflows.from_file',
      `${JSON.stringify(name)} comes from the file ${file}: delete the file, or disable the workflow`,
    );
  }
}
