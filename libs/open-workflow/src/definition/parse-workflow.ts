import type { JsonObject } from '../json.js';
import type { FoundCall, FoundExpression, FoundSubflow } from './findings.js';
import { type Inspection, inOrder, inspectWorkflow } from './inspection.js';
import type { DefinitionProblem, Located, ParsedWorkflow } from './problem.js';
import { undeclaredInput } from './undeclared-input.js';
import { adviceForPartial, wholeExpression } from './partial-expression.js';
import { adviceForVariable } from './place-variables.js';
import { listed, quoted } from './quoting.js';
import { didYouMean } from './suggestion.js';

/** What a workflow may refer to outside its document. */
export interface ParseOptions {
  knowsFunction: (name: string) => boolean;
  /** The existing workflows, which `run` may start. Without it, unknown workflows are not reported. */
  workflows?: ReadonlySet<string>;
  /** The functions to suggest when an unknown one is called. */
  functionNames?: () => Iterable<string>;
  /** Returns what it takes to have an unknown function; undefined = there is none of this name. */
  whyAbsent?: (name: string) => string | undefined;
  /** Returns the JSON Schema of a function's arguments; undefined = unknown. */
  inputSchemaOf?: (name: string) => JsonObject | undefined;
  /** Returns what is wrong with arguments of a function, each as its path, a colon and the problem. */
  argumentProblems?: (name: string, args: JsonObject) => readonly string[];
  /** Returns whether problems may tell the author about a function or workflow. Absent = about all. */
  mayTellOf?: (name: string) => boolean;
  /** Returns whether workflows may not send events of a type. Absent = all types are allowed. */
  isReservedEvent?: (type: string) => boolean;
  /** Returns the syntax error of each program (`Expressions.check`), or null. Without it, programs are not checked. */
  checkExpressions?: (programs: readonly string[], variables: readonly string[]) => Promise<(string | null)[]>;
}

const MOST_PROBLEMS = 100;

/** Parses and validates the text of a workflow. Never throws because of the text. */
export function parseWorkflow(text: string, options: ParseOptions): Promise<ParsedWorkflow> {
  return completeInspection(inspectWorkflow(text), options);
}

/** Completes an inspection with checks that depend on others: functions, workflows and expressions. */
export async function completeInspection(inspection: Inspection, options: ParseOptions): Promise<ParsedWorkflow> {
  const found = inspection.calls.flatMap((call) => problemsOfCall(call, options));
  if (options.workflows) found.push(...problemsOfSubflows(inspection, options.workflows, options.mayTellOf));
  found.push(...problemsOfEvents(inspection, options), ...undeclaredInput(inspection));
  if (options.checkExpressions)
    found.push(...(await problemsOfExpressions(inspection.expressions, options.checkExpressions)));
  const problems = inOrder([...inspection.problems, ...found.slice(0, MOST_PROBLEMS)]);
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return { definition: hasErrors ? null : inspection.definition, problems };
}

const errorAt = ({ path, line, column }: Located, message: string): DefinitionProblem => ({
  severity: 'error',
  path,
  line,
  column,
  message,
});

/** Names under which authors look for a skill that asks a person. */
const ASKS_A_PERSON = /human|approv|confirm|ask_/i;

function problemsOfCall(call: FoundCall, options: ParseOptions): DefinitionProblem[] {
  const { name } = call;
  const { mayTellOf = () => true } = options;
  if (options.workflows?.has(name)) {
    return [errorAt(call, `${quoted(name)} is a workflow: run it, with run: { workflow: { namespace, name } }`)];
  }
  if (!options.knowsFunction(name)) {
    const reason = options.whyAbsent?.(name);
    if (reason !== undefined) return [errorAt(call, `the skill ${quoted(name)} is not available now: ${reason}`)];
    const otherwise = ASKS_A_PERSON.test(name)
      ? ': to ask a person, listen for the event person.answered, with the question under metadata.question'
      : ': call an enabled skill, http, or a function of use.functions';
    const others = [...(options.functionNames?.() ?? [])].filter(mayTellOf);
    return [errorAt(call, `there is no skill ${quoted(name)}${didYouMean(name, others, otherwise)}`)];
  }
  const schema = mayTellOf(name) ? options.inputSchemaOf?.(name) : undefined;
  return schema ? [...problemsOfArguments(call, schema), ...warningsOfLiterals(call, schema, options)] : [];
}

/** Keywords of a schema that may judge one argument by another. */
const CONDITIONS = ['allOf', 'anyOf', 'dependentSchemas', 'if', 'not', 'oneOf'];

/** Returns the arguments that the function would refuse now. It may change until it is called. */
function warningsOfLiterals(
  { name, arguments: given }: FoundCall,
  schema: JsonObject,
  { argumentProblems }: ParseOptions,
): DefinitionProblem[] {
  const literals = given.filter(({ literal }) => literal !== undefined);
  if (!argumentProblems || literals.length === 0 || CONDITIONS.some((keyword) => keyword in schema)) return [];
  const problems = argumentProblems(name, Object.fromEntries(literals.map((one) => [one.name, one.literal])));
  return literals.flatMap(({ name: argument, path, line, column }) => {
    const problem = problems.find((one) => one.startsWith(`${argument}:`) || one.startsWith(`${argument}.`));
    if (problem === undefined) return [];
    const message = `does not fit the input schema of the skill ${quoted(name)}: ${problem}`;
    return [{ severity: 'warning', path, line, column, message }];
  });
}

function problemsOfArguments(call: FoundCall, schema: JsonObject): DefinitionProblem[] {
  const properties = Object.keys((schema['properties'] ?? {}) as JsonObject);
  const given = call.arguments.map(({ name }) => name);
  const isClosed = schema['additionalProperties'] === false;
  const unknown = isClosed ? call.arguments.filter(({ name }) => !properties.includes(name)) : [];
  const skill = quoted(call.name);
  const free = properties.filter((property) => !given.includes(property));
  const problems = unknown.map((argument) => {
    const known = `: its arguments are ${listed(properties)}`;
    const hint = didYouMean(argument.name, free, known);
    return errorAt(argument, `the skill ${skill} has no argument ${quoted(argument.name)}${hint}`);
  });
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const missing = required.filter((name) => !given.includes(name));
  // An unknown argument is probably the misspelt missing one.
  if (problems.length > 0 || missing.length === 0) return problems;
  return [errorAt(call, `the skill ${skill} needs ${missing.map(quoted).join(' and ')} under with`)];
}

/** Workflows that run each other cannot all be saved first, so a missing one is not an error. */
function problemsOfSubflows(
  { name: own, subflows }: Inspection,
  workflows: ReadonlySet<string>,
  mayTellOf: (name: string) => boolean = () => true,
): DefinitionProblem[] {
  const missing = subflows.filter(({ name }) => name !== own && !workflows.has(name));
  return missing.map(({ name, path, line, column }: FoundSubflow) => {
    const hint = didYouMean(name, [...workflows].filter(mayTellOf), ': the task fails until there is one');
    return { severity: 'warning', path, line, column, message: `there is no workflow ${quoted(name)}${hint}` };
  });
}

function problemsOfEvents({ events }: Inspection, { isReservedEvent }: ParseOptions): DefinitionProblem[] {
  const refused = events.filter(({ type }) => isReservedEvent?.(type));
  return refused.map((event) =>
    errorAt(event, `only the service itself sends events of the type ${quoted(event.type)}: choose another type`),
  );
}

type Check = NonNullable<ParseOptions['checkExpressions']>;

async function problemsOfExpressions(found: readonly FoundExpression[], check: Check): Promise<DefinitionProblem[]> {
  const everywhere = [...new Set(found.flatMap(({ variables }) => variables))];
  const first = await check(programsOf(found), everywhere);
  const problems = found.flatMap((expression, index) => problemOf(expression, first[index]));
  // Of the valid expressions, those that mention a variable from elsewhere are checked again with only their own.
  const doubtful = found.filter((expression, index) => first[index] === null && mentionsOthers(expression, everywhere));
  for (const group of groupsByVariables(doubtful)) {
    const verdicts = await check(programsOf(group), group[0]?.variables ?? []);
    problems.push(...group.flatMap((expression, index) => problemOf(expression, verdicts[index])));
  }
  return problems;
}

const programsOf = (found: readonly FoundExpression[]): string[] => found.map(({ program }) => program);

function problemOf(expression: FoundExpression, problem: string | null | undefined): DefinitionProblem[] {
  if (problem === null || problem === undefined) return [];
  return [
    errorAt(expression, `the expression is not valid jq: ${problem.slice(0, 200)}${hintFor(expression, problem)}`),
  ];
}

/** The program may be the text between the first and the last brace of a text with several expressions. */
function hintFor({ program, path }: FoundExpression, problem: string): string {
  const unknown = /\$(\w+) is not defined/.exec(problem)?.[1];
  if (unknown !== undefined) return `. ${adviceForVariable(unknown, path)}`;
  const text = [program, `\${${program}}`].find((one) => wholeExpression(one) !== undefined);
  if (text === undefined || !program.includes('${')) return '';
  return `. The text has \${ } in it: ${adviceForPartial(text)}`;
}

function mentionsOthers({ program, variables }: FoundExpression, everywhere: readonly string[]): boolean {
  return [...program.matchAll(/\$(\w{1,64})/g)].some(
    ([, name = '']) => everywhere.includes(name) && !variables.includes(name),
  );
}

function groupsByVariables(found: readonly FoundExpression[]): FoundExpression[][] {
  const groups = new Map<string, FoundExpression[]>();
  for (const expression of found) {
    const key = [...expression.variables].sort().join(' ');
    groups.set(key, [...(groups.get(key) ?? []), expression]);
  }
  return [...groups.values()];
}
