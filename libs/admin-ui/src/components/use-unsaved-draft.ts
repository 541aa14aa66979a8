import { useState } from 'react';
import { useUnsavedChanges } from './use-unsaved-changes';

/**
 * Holds a draft of a saved value, which is plain data. An untouched draft follows the saved value; an edited one stays, and
 * the page asks before it is lost. `isOutdated` says that the saved value has changed since the edit began.
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
