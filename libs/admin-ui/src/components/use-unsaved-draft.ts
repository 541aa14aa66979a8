import { useState } from 'react';
import { useUnsavedChanges } from './use-unsaved-changes';

/**
 * What is being written in place of what is saved, which is plain data. Untouched it follows the service; begun, it stays,
 * and the page asks before it is lost. `isOutdated`: what is saved changed since.
 */
export function useUnsavedDraft<Value>(saved: Value) {
  const [begun, setBegun] = useState<{ draft: Value; from: string } | null>(null);
  const draft = begun?.draft ?? saved;
  const from = JSON.stringify(saved);
  const hasChanges = JSON.stringify(draft) !== from;
  useUnsavedChanges(hasChanges);
  return {
    draft,
    setDraft: (next: Value) => setBegun({ draft: next, from: begun?.from ?? from }),
    discard: () => setBegun(null),
    hasChanges,
    isOutdated: hasChanges && begun !== null && begun.from !== from,
  };
}
