import { AppError } from '../../errors/app-error.js';

/** Thrown when a disabled workflow is to be started. */
export class WorkflowDisabled extends AppError {
  constructor(name: string) {
    super('conflict', 'workflows.disabled', `the workflow ${JSON.stringify(name)} is disabled: enable it to start it`);
  }
}
