import { useMemo, useState } from 'react';
import { defaultsOf, parseArguments } from '../../json-schema/arguments';
import { fieldsOf, isFormEnough, labelsOf } from '../../json-schema/field';
import { type Problem, problemFinder } from '../../json-schema/schema-problems';
import type { Json } from '../../mcp/json-rpc';

/** Holds arguments while they are entered, in a form or as JSON, with their problems. */
export function useArguments(schema: Json, initial: Json | undefined) {
  const [initialArgs] = useState(() => initial ?? defaultsOf(schema));
  const [mode, setMode] = useState<string>(isFormEnough(schema) ? 'form' : 'json');
  const [args, setArgs] = useState(initialArgs);
  const [json, setJson] = useState(() => JSON.stringify(initialArgs, null, 2));
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const find = useMemo(() => problemFinder(schema), [schema]);
  const parsed = useMemo(() => parseArguments(json), [json]);
  const entered = mode === 'json' && 'arguments' in parsed ? parsed.arguments : args;
  const problems = useMemo(() => find(entered), [find, entered]);
  const isField = (name: string | undefined) => fields.some((field) => field.name === name);

  const switchTo = (next: string) => {
    if (next === 'json') setJson(JSON.stringify(args, null, 2));
    else if ('arguments' in parsed) setArgs(parsed.arguments);
    setMode(next);
  };
  return {
    mode,
    switchTo,
    fields,
    args,
    setArgs,
    json,
    setJson,
    /** The submitted value. */
    entered,
    problems,
    fits: problems.length === 0,
    /** Why the JSON is invalid; null when it is valid, or not shown. */
    problem: mode === 'json' && 'problem' in parsed ? parsed.problem : null,
    /** The missing arguments, as they are shown. */
    missing: problems
      .filter(({ isMissing }) => isMissing)
      .map(({ path }) => (mode === 'form' ? labelsOf(path, fields) : path).join('.')),
    /** Problems that no field shows. */
    elsewhere: problems
      .filter(({ isMissing, path: [name] }) => !isMissing && (mode === 'json' || !isField(name)))
      .map(inWords),
    /** Names of arguments that are submitted although no field shows them. */
    unshown: mode === 'form' ? Object.keys(args).filter((name) => !isField(name)) : [],
  };
}

const inWords = ({ path, message }: Problem): string => (path.length > 0 ? `${path.join('.')}: ${message}` : message);
