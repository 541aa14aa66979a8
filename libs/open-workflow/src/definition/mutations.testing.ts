import type { Json, JsonObject } from '../json.js';

export interface Mutation {
  title: string;
  document: Json;
}

const WRONG: Json[] = [null, 7, 'x y', [{ q: { r: 1 } }]];

/** Returns variants of a document: each value removed, renamed, duplicated or replaced by two of other types, one at a time. */
export function mutationsOf(document: JsonObject): Mutation[] {
  return pathsIn(document, []).flatMap((path, index) => [
    ...without(document, path),
    ...renamed(document, path),
    ...doubled(document, path),
    ...[index, index + 1]
      .map((turn) => WRONG[turn % WRONG.length] ?? null)
      .map((value) => changed(document, path, `= ${JSON.stringify(value)}`, (parent, key) => set(parent, key, value))),
  ]);
}

type Key = string | number;

function pathsIn(value: Json | undefined, path: Key[]): Key[][] {
  const own = path.length > 0 ? [path] : [];
  if (Array.isArray(value)) return [...own, ...value.flatMap((item, index) => pathsIn(item, [...path, index]))];
  if (typeof value !== 'object' || value === null) return own;
  return [...own, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))];
}

function changed(
  document: JsonObject,
  path: readonly Key[],
  title: string,
  change: (parent: Json, key: Key) => void,
): Mutation {
  const copy = structuredClone(document);
  let parent: Json = copy;
  for (const key of path.slice(0, -1)) parent = (parent as Record<Key, Json>)[key] ?? null;
  change(parent, path.at(-1) ?? '');
  return { title: `/${path.join('/')} ${title}`, document: copy };
}

function set(parent: Json, key: Key, value: Json): void {
  (parent as Record<Key, Json>)[key] = value;
}

function without(document: JsonObject, path: readonly Key[]): Mutation[] {
  return [
    changed(document, path, 'removed', (parent, key) => {
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete (parent as JsonObject)[key];
    }),
  ];
}

function renamed(document: JsonObject, path: readonly Key[]): Mutation[] {
  if (typeof path.at(-1) === 'number') return [];
  return [
    changed(document, path, 'renamed', (parent, key) => {
      const object = parent as JsonObject;
      object[`${key}Q`] = object[key];
      delete object[key];
    }),
  ];
}

function doubled(document: JsonObject, path: readonly Key[]): Mutation[] {
  if (typeof path.at(-1) !== 'number') return [];
  return [
    changed(document, path, 'doubled', (parent, key) => {
      if (Array.isArray(parent)) parent.push(structuredClone(parent[Number(key)] ?? null));
    }),
  ];
}
