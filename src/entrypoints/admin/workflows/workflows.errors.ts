import { AppError } from '../../../platform/errors/app-error.js';

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

export class StartedOtherwise extends AppError {
  constructor(name: string, isByEvent: boolean) {
    const what = isByEvent
      ? `events start the workflow ${JSON.stringify(name)}: give an "event" in the place of an "input", such as exampleEvent of the workflow`
      : `no event starts the workflow ${JSON.stringify(name)}: give its "input" in the place of an "event"`;
    super('invalid', 'workflows.started_otherwise', what);
  }
}

export class EventInvalid extends AppError {
  constructor(reason: string) {
    super('invalid', 'workflows.event_invalid', `the event cannot be used: ${reason}`);
  }
}
