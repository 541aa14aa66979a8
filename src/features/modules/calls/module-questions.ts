import { type InputRequest, type InputRequired, inputRequired, type JsonObject, type SkillContext } from '#skill-kit';

type Questions = Readonly<Record<string, InputRequest>>;

/** What passes through the client between the rounds of a call. */
interface Round {
  /** The person's answers so far, by the keys of their questions; null = declined. */
  answers: JsonObject;
  /** The questions of this round. */
  questions: Questions;
}

/** The answers of the person, and why others do not fit the schema of their question: the module asks again without them. */
interface Given {
  answers: JsonObject;
  misfits: ReadonlyMap<string, string>;
}

export const schemaOf = ({ params }: InputRequest): JsonObject => params?.['requestedSchema'] as JsonObject;

/** Asks the person. The client brings the answers to these questions only, so the earlier ones go with them. */
export function askPerson(questions: Questions, { answers, misfits }: Given): InputRequired {
  const asked = Object.entries(questions).map(([key, { method, params }]) => {
    const misfit = misfits.get(key);
    const message = misfit === undefined ? {} : { message: `${String(params?.['message'])}\n\n${misfit}` };
    return [key, { method, params: { ...params, ...message } }] as const;
  });
  return inputRequired({ inputRequests: Object.fromEntries(asked), state: { answers, questions } satisfies Round });
}

/** Reads the answers of all rounds; `problemsOf` returns the problems of an answer by the schema of its question. */
export async function readAnswers(
  { answers: given, state }: Pick<SkillContext, 'answers' | 'state'>,
  problemsOf: (schema: JsonObject, answer: JsonObject) => Promise<string[]>,
): Promise<Given> {
  const { answers, questions } = (state ?? { answers: {}, questions: {} }) as Round;
  const fitting: [string, JsonObject | null][] = [];
  const misfits = new Map<string, string>();
  for (const [key, question] of Object.entries(questions)) {
    if (!Object.hasOwn(given, key)) continue;
    const answer = answerIn(given[key]);
    const problems = answer ? await problemsOf(schemaOf(question), answer) : [];
    if (problems.length === 0) fitting.push([key, answer]);
    else misfits.set(key, `The answer does not fit the question: ${problems.join('; ')}`);
  }
  return { answers: { ...answers, ...Object.fromEntries(fitting) }, misfits };
}

/** Returns what the person entered; null when the person declined or cancelled. */
function answerIn(given: unknown): JsonObject | null {
  const { action, content } = Object(given) as { action?: unknown; content?: unknown };
  return action === 'accept' ? (Object(content) as JsonObject) : null;
}
