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
  // More may have been chosen since the page was rendered, as during a change of the chosen ones.
  const set = (change: (chosen: ReadonlyMap<string, SeenDocument>) => ReadonlyMap<string, SeenDocument>) =>
    setChoice((now) => ({ list, chosen: change(now.list === list ? now.chosen : NONE) }));
  return {
    chosen: [...chosen.values()],
    has: (id: string) => chosen.has(id),
    choose: (documents: readonly SeenDocument[]) =>
      set((now) => new Map([...now, ...documents.map((document) => [document.id, document] as const)])),
    leave: (documents: readonly SeenDocument[]) => {
      const left = new Set(documents.map(({ id }) => id));
      set((now) => new Map([...now].filter(([id]) => !left.has(id))));
    },
    clear: () => set(() => NONE),
  };
}

export type Choice = ReturnType<typeof useChoice>;

const NONE: ReadonlyMap<string, SeenDocument> = new Map();
