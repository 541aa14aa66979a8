import { useState } from 'react';
import type { SeenDocument } from '../use-collection';

/** Holds the chosen documents of a list, in the version at the time of choosing. */
export function useChoice(list: string) {
  const [choice, setChoice] = useState<{ list: string; chosen: ReadonlyMap<string, SeenDocument> }>({
    list,
    chosen: NONE,
  });
  // A choice in another list is no longer visible.
  const chosen = choice.list === list ? choice.chosen : NONE;
  const set = (next: ReadonlyMap<string, SeenDocument>) => setChoice({ list, chosen: next });
  return {
    chosen: [...chosen.values()],
    has: (id: string) => chosen.has(id),
    choose: (documents: readonly SeenDocument[]) =>
      set(new Map([...chosen, ...documents.map((document) => [document.id, document] as const)])),
    leave: (documents: readonly SeenDocument[]) => {
      const left = new Set(documents.map(({ id }) => id));
      set(new Map([...chosen].filter(([id]) => !left.has(id))));
    },
    clear: () => set(NONE),
  };
}

export type Choice = ReturnType<typeof useChoice>;

const NONE: ReadonlyMap<string, SeenDocument> = new Map();
