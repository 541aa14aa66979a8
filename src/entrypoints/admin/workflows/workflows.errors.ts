import { AppError } from '../../../platform/errors/app-error.js';

/** Thrown when a disabled workflow is to be started. */
export class WorkflowDisabled extends AppError {
  constructor(name: string) {
    super('conflict', 'workflows.disabled', `the workflow ${JSON.stringify(name)} is disabled: enable it to start it`);
  }
}

/** Thrown when the input of a run that is to be started does not fit the schema of its workflow. */
export class InputInvalid extends AppError {
  constructor(mistakes: readonly string[]) {
    super(
      'invalid',
      'workflows.input_invalid',
      `the input does not fit the schema of the workflow: ${mistakes.join('; ')}`,
      {
        fields: mistakes.map((message) => ({ path: 'input', message })),
      },
    );
  }
}
