import type { OfferedTool } from './model/dialect.js';
import type { Program } from './programs.js';
import type { ToolResult } from './recorder.js';
import type { Trial } from './trial.js';

/** Which parts of a result a program shows its model. */
interface SeenParts {
  text: boolean;
  structured: boolean;
}

/** Returns the failures of a program as sentences; empty = it passed. */
export function failuresOf(program: Program, trial: Trial, troubleshooting: string): string[] {
  if (!trial.shown) return [`it did not connect, or offers no tool. It says: ${trial.output.trim().slice(-1_000)}`];
  return [...unofferedTools(trial), ...unseenResults(trial), ...unsaidKey(program, trial, troubleshooting)];
}

/** The tools of the service that the model can call: those in the requests, and those that a search found. */
export function offeredTools({ shown, searched, service }: Trial): OfferedTool[] {
  const found = [...searched.matchAll(/<function>(.*?)<\/function>/gs)].map(([, json = '']) => {
    const { name, description, parametersJsonSchema } = JSON.parse(json) as {
      name: string;
      description: string;
      parametersJsonSchema: object;
    };
    return { name, group: '', description, schema: parametersJsonSchema };
  });
  const all = [...(shown?.tools ?? []), ...found];
  return service.tools.flatMap(({ name }) => all.find((tool) => isCalled(tool, name)) ?? []);
}

const isCalled = (tool: OfferedTool, name: string): boolean => tool.name === name || tool.name.endsWith(`_${name}`);

/** True when the model is shown the instructions of the service. */
export const showsInstructions = ({ shown, service }: Trial): boolean =>
  contains(shown?.prompt ?? '', service.instructions);

/** Returns which parts are shown of the results whose text and structured content differ. */
export function seenParts(trial: Trial): SeenParts[] {
  return pairs(trial).flatMap(({ shown, result }) =>
    result?.structuredContent && !textOf(result).startsWith('{') ? [partsIn(shown, result)] : [],
  );
}

function unofferedTools(trial: Trial): string[] {
  const offered = offeredTools(trial);
  return trial.service.tools.flatMap(({ name, description = '', inputSchema }) => {
    const tool = offered.find((one) => isCalled(one, name));
    if (!tool) return [`${name} is not offered`];
    const shown = (tool.schema as { properties?: Record<string, { description?: string }> }).properties ?? {};
    const unknown = Object.entries(inputSchema.properties ?? {}).filter(
      ([parameter, schema]) => !contains(shown[parameter]?.description ?? '', descriptionOf(schema)),
    );
    return [
      ...(contains(tool.description, description) ? [] : [`the description of ${name} is not shown whole`]),
      ...unknown.map(([parameter]) => `${name}.${parameter} is not shown, or without its description`),
    ];
  });
}

const descriptionOf = (schema: unknown): string => (schema as { description?: string }).description ?? '';

function unseenResults(trial: Trial): string[] {
  const missing = trial.scripted - trial.calls.length;
  const unseen = pairs(trial).flatMap(({ call, shown, result }) => {
    const said = `${call} shows its model: ${shown.slice(0, 300)}`;
    // Some programs validate arguments themselves, and report what is wrong.
    if (!result)
      return shown.includes('key') && shown.includes('pattern') ? [] : [`never reached the service: ${said}`];
    const { text, structured } = partsIn(shown, result);
    return text || structured ? [] : [`the result does not arrive: ${said}`];
  });
  return [...(missing > 0 ? [`${missing} calls of the script were not made`] : []), ...unseen];
}

function unsaidKey({ wrongKeyMessage }: Program, { wrongKeyOutput }: Trial, troubleshooting: string): string[] {
  return [
    ...(wrongKeyOutput.includes(wrongKeyMessage)
      ? []
      : [`a wrong key is not called "${wrongKeyMessage}": ${wrongKeyOutput.trim().slice(-500)}`]),
    ...(troubleshooting.includes(wrongKeyMessage) ? [] : [`the manual does not say what "${wrongKeyMessage}" means`]),
  ];
}

/** Pairs each call with the result of the service; undefined when the program did not forward the call. */
function pairs({ calls, results }: Trial): { call: string; shown: string; result: ToolResult | undefined }[] {
  const left = new Map([...results].map(([tool, answers]) => [tool, [...answers]]));
  return calls.map(({ tool, arguments: args, shown }) => {
    const call = `${tool} ${JSON.stringify(args)}`;
    const answers = left.get(tool) ?? [];
    // Of two calls of a tool, the failed one may not have been forwarded.
    const isPassedOn = answers.length > 0 && !/^params\//.test(shown ?? '');
    return { call, shown: shown ?? '', result: isPassedOn ? answers.shift() : undefined };
  });
}

function partsIn(shown: string, result: ToolResult): SeenParts {
  return {
    text: result.content.every(({ text = '' }) => contains(shown, text)),
    structured: result.structuredContent !== undefined && containsAll(shown, result.structuredContent),
  };
}

const textOf = ({ content }: ToolResult): string => content.map(({ text = '' }) => text).join('\n');

function containsAll(shown: string, value: unknown): boolean {
  if (typeof value === 'string') return contains(shown, value);
  if (typeof value !== 'object' || value === null) return contains(shown, JSON.stringify(value));
  return Object.entries(value).every(
    ([name, child]) => (Array.isArray(value) || plain(shown).includes(`"${name}":`)) && containsAll(shown, child),
  );
}

const contains = (shown: string, part: string): boolean => plain(shown).includes(plain(part));

/** Removes white space and JSON escapes. */
const plain = (text: string): string => text.replaceAll(/\\+[nrt]|\\/g, '').replaceAll(/\s+/g, '');
