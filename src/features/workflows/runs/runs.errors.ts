import { AppError } from '../../../platform/errors/app-error.js';

/** Thrown when there is no run with this id, or it belongs to another client: callers cannot tell the difference. */
export class RunNotFound extends AppError {
  constructor(id: string) {
    super(
      'not_found',
      'runs.run_not_found',
      `There is no run ${id}, or no longer: ended runs are removed after a time. run_list lists the runs that there are.`,
    );
  }
}

/** Thrown when a client cancels a run that no client started. */
export class RunNotStartedByClient extends AppError {
  constructor(id: string) {
    super(
      'denied',
      'runs.not_started_by_client',
      `A schedule, an event or an administrator started the run ${id}: an administrator can cancel it under Runs.`,
    );
  }
}

/** Thrown when a run does not wait for this answer: it never asked, or it has an answer already. */
export class QuestionNotOpen extends AppError {
  constructor(id: string, step: string) {
    super('conflict', 'runs.question_not_open', `The run ${id} does not wait for an answer at ${step} (any more).`);
  }
}

/** Thrown when an answer does not fit the schema of its question. */
export class AnswerInvalid extends AppError {
  constructor(problems: readonly string[]) {
    super('invalid', 'runs.answer_invalid', `The answer does not fit the question: ${problems.join('; ')}`, {
      fields: problems.map((message) => ({ path: 'content', message })),
    });
  }
}

/** Thrown when the chain of calls and runs that led to a run is too long. */
export class RunTooDeep extends AppError {
  constructor(most: number) {
    super(
      'invalid',
      'runs.too_deep',
      `Calls and runs may start each other at most ${most} deep. Does one start itself?`,
    );
  }
}

/** Thrown when the input of a run is too large. */
export class RunInputTooLarge extends AppError {
  constructor(bytes: number, most: number) {
    super(
      'invalid',
      'runs.input_too_large',
      `The input has ${bytes} bytes; a run may have at most ${most}: send less.`,
    );
  }
}

/** Thrown when a run has no step of this name. */
export class StepNotFound extends AppError {
  constructor(id: string, step: string) {
    super('not_found', 'runs.step_not_found', `The run ${id} has no step ${JSON.stringify(step.slice(0, 200))}.`);
  }
}

/** Thrown when the client that started a run answers a question that only others may answer, such as the approval of its call. */
export class AnsweredElsewhere extends AppError {
  constructor(id: string) {
    super(
      'denied',
      'runs.answered_elsewhere',
      `Whoever started the run ${id} cannot answer this. Only an administrator can, in the administration under Runs.`,
    );
  }
}

/** Thrown when an answer does not come from the view of the run, where a person gives it. */
export class NotFromView extends AppError {
  constructor(id: string) {
    super(
      'denied',
      'runs.not_from_view',
      `Only a person answers, in the view of the run ${id} or in the administration under Runs: the token is not the view's.`,
    );
  }
}

/** Thrown when the workflow of a run no longer exists. */
export class NotRepeatable extends AppError {
  constructor(id: string, reason: string) {
    super('conflict', 'runs.not_repeatable', `The run ${id} cannot be run again: ${reason}`);
  }
}
