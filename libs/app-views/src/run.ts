import { isJson, type Json, listAt, textAt } from './json';

/** The data of a run that the view shows. */
export interface Run {
  id: string;
  name: string;
  status: string;
  startedAt: string | null;
  endedAt: string | null;
  steps: Step[];
  questions: Question[];
  /** The token for answers of a person in the view; null = the result has none. */
  answerToken: string | null;
  output: unknown;
  /** The error; null = none. */
  problem: string | null;
}

export interface Step {
  label: string;
  status: string;
  startedAt: string | null;
  endedAt: string | null;
}

export interface Question {
  step: string;
  message: string;
  schema: Json;
  /** True when the client that started the run may not answer. */
  notCaller: boolean;
}

const ENDED = ['completed', 'failed', 'cancelled'];

export const hasEnded = ({ status }: Run): boolean => ENDED.includes(status);

/** Returns the run that a tool result describes; null when it describes none. */
export function runOf(result: Json): Run | null {
  const run = isJson(result['structuredContent']) ? result['structuredContent'] : {};
  const [id, status] = [textAt(run, 'id'), textAt(run, 'status')];
  if (id === null || status === null) return null;
  return {
    id,
    status,
    name: textAt(run, 'name') ?? id,
    startedAt: textAt(run, 'startedAt'),
    endedAt: textAt(run, 'endedAt'),
    steps: listAt(run, 'steps').map(stepOf),
    questions: listAt(run, 'waitsFor').flatMap(questionOf),
    answerToken: isJson(result['_meta']) ? textAt(result['_meta'], 'agent-service/answer-token') : null,
    output: run['output'],
    problem: textAt(run, 'error'),
  };
}

/** Returns the id of the run that a tool result or its arguments name; null when they name none. */
export function runIdOf(result: Json, args: Json): string | null {
  const links = listAt(result, 'content').map((block) => textAt(block, 'uri') ?? textAt(block, 'text') ?? '');
  for (const link of links) {
    const [, id] = /\brun:\/\/([\w-]+)/.exec(link) ?? [];
    if (id) return id;
  }
  return textAt(args, 'id');
}

export const textsOf = (result: Json): string[] =>
  listAt(result, 'content').flatMap((block) => (block['type'] === 'text' ? [textAt(block, 'text') ?? ''] : []));

function stepOf(step: Json): Step {
  return {
    label: textAt(step, 'label') ?? '',
    status: textAt(step, 'status') ?? '',
    startedAt: textAt(step, 'startedAt'),
    endedAt: textAt(step, 'endedAt'),
  };
}

function questionOf(question: Json): Question[] {
  const [step, message] = [textAt(question, 'step'), textAt(question, 'message')];
  if (step === null || message === null) return [];
  const schema = isJson(question['schema']) ? question['schema'] : {};
  return [{ step, message, schema, notCaller: question['notCaller'] === true }];
}
