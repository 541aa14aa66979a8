import { replaceEqualDeep } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { NavigationType, useBlocker } from 'react-router';
import { changedFields } from './changed-fields';
import { confirm } from './confirm';

/** Navigates away after saving, without asking about unsaved changes. */
export const WITHOUT_ASKING = { state: 'nothing to save' } as const;

/** What asks before a page with unsaved changes is left. */
const asking = new Set<(event: BeforeUnloadEvent) => void>();

export const hasUnsavedChanges = (): boolean => asking.size > 0;

/** Lets the user go without asking again. */
export const giveUpUnsavedChanges = (): void => asking.clear();

/** Asks before the user leaves the page with unsaved changes, for another page or another site. */
export function useUnsavedChanges(hasChanges: boolean): void {
  const isShown = useIsShown();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      isShown.current &&
      hasChanges &&
      currentLocation.pathname !== nextLocation.pathname &&
      // The history keeps the state, so a user who comes back to such a page is asked, too.
      (historyAction === NavigationType.Pop || nextLocation.state !== WITHOUT_ASKING.state),
  );
  useEffect(() => {
    if (blocker.state === 'blocked')
      askToLeave(
        () => blocker.proceed(),
        () => blocker.reset(),
      );
  }, [blocker]);

  useEffect(() => {
    if (!hasChanges) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (asking.has(ask)) event.preventDefault();
    };
    asking.add(ask);
    window.addEventListener('beforeunload', ask);
    return () => {
      asking.delete(ask);
      window.removeEventListener('beforeunload', ask);
    };
  }, [hasChanges]);
}

/** Asks before what was entered is lost. */
const askToLeave = (onLeave: () => void, onStay?: () => void): void =>
  confirm({
    title: 'Leave without saving?',
    text: 'Some changes on this page are not saved. They are lost when you leave.',
    confirm: 'Leave',
    cancel: 'Stay',
    onConfirm: onLeave,
    ...(onStay && { onCancel: onStay }),
  });

/**
 * For a page whose rows are changed in one form, that of new ones: another row takes its place, after a question where
 * something was entered.
 */
export function useEditedRow() {
  // Counted, because the same row may be chosen again.
  const [edited, setEdited] = useState<{ name?: string; times: number }>({ times: 0 });
  const [hasChanges, setHasChanges] = useState(false);
  const begin = (name?: string) => {
    setHasChanges(false);
    setEdited({ times: edited.times + 1, ...(name !== undefined && { name }) });
  };
  return {
    name: edited.name,
    formKey: edited.times,
    edit: (name: string) => (hasChanges ? askToLeave(() => begin(name)) : begin(name)),
    end: () => begin(),
    setHasChanges,
  };
}

/**
 * Whether the page is there, and not behind the login form. The router keeps the blocker of a page that was behind it, even
 * when the page is gone.
 */
function useIsShown(): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

/**
 * Holds a draft of a saved value, which is plain data. An untouched draft follows the saved value; an edited one stays, and
 * the page asks before it is lost. `isOutdated` says that the saved value has changed since the edit began; `keep` keeps the
 * draft all the same, as a change of what is saved now.
 */
export function useUnsavedDraft<Value>(saved: Value) {
  const [begun, setBegun] = useState<{ draft: Value; from: Value } | null>(null);
  const draft = begun?.draft ?? saved;
  const hasChanges = !isSame(draft, saved);
  const from = hasChanges && begun ? begun.from : saved;
  useUnsavedChanges(hasChanges);
  return {
    draft,
    setDraft: (next: Value) => setBegun({ draft: next, from }),
    discard: () => setBegun(null),
    keep: () => setBegun({ draft, from: saved }),
    /** After `sent` was saved: keeps what was entered while it was under way. */
    endEdit: (sent: Value) => setBegun((now) => (now && now.draft !== sent ? { draft: now.draft, from: sent } : null)),
    hasChanges,
    isOutdated: !isSame(from, saved),
  };
}

/**
 * Holds what was entered in a form whose fields are saved each by itself. A field in which nothing was entered follows the
 * saved value, whatever was entered in the others. The page asks before what was entered is lost. `isOutdated` says that
 * what is saved has changed since the first entry; `keep` keeps what was entered all the same.
 */
export function useUnsavedFields<Fields extends object>(saved: Fields) {
  const [begun, setBegun] = useState<{ entered: Partial<Fields>; from: Fields } | null>(null);
  const draft: Fields = { ...saved, ...begun?.entered };
  const hasChanges = !isSame(draft, saved);
  const from = hasChanges && begun ? begun.from : saved;
  useUnsavedChanges(hasChanges);
  return {
    saved,
    draft,
    change: (entered: Partial<Fields>) =>
      setBegun({ entered: changedFields<Fields>({ ...draft, ...entered }, saved), from }),
    discard: () => setBegun(null),
    keep: () => setBegun({ entered: changedFields(draft, saved), from: saved }),
    /** After `sent` was saved: keeps what was entered while it was under way. */
    endEdit: (sent: Fields) =>
      setBegun((now) => now && { entered: changedFields<Fields>({ ...sent, ...now.entered }, sent), from: sent }),
    hasChanges,
    isOutdated: !isSame(from, saved),
  };
}

export type UnsavedFields<Fields extends object> = ReturnType<typeof useUnsavedFields<Fields>>;

/** Compares plain data without writing it as a text, because a draft may hold a megabyte and is compared at each key. */
const isSame = <Value>(one: Value, other: Value): boolean => replaceEqualDeep(one, other) === one;
