import { notifyManager, replaceEqualDeep } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type NavigateOptions, NavigationType, useBlocker } from 'react-router';
import { changedFields } from './changed-fields';
import { clearAnswer } from './Form';
import { confirm } from './confirm';

/** Navigates away after saving, without asking about unsaved changes. */
export const WITHOUT_ASKING = { state: 'nothing to save' } as const;

/** Handlers that ask before a page with unsaved changes is left. */
const asking = new Set<(event: BeforeUnloadEvent) => void>();

export const hasUnsavedChanges = (): boolean => asking.size > 0;

/** Lets the user go without asking again. */
export const discardUnsavedChanges = (): void => asking.clear();

/** Asks before the user leaves the page with unsaved changes, for another page or another site. */
export function useUnsavedChanges(hasChanges: boolean): void {
  const isShown = useIsShown();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      isShown.current &&
      hasChanges &&
      currentLocation.pathname !== nextLocation.pathname &&
      // The history keeps the state, so a user who comes back to such a page must be asked, too.
      (historyAction === NavigationType.Pop || nextLocation.state !== WITHOUT_ASKING.state),
  );
  const isBlocked = blocker.state === 'blocked';
  const answer = useEffectEvent((leaves: boolean) => (leaves ? blocker.proceed?.() : blocker.reset?.()));
  // Asks once, however often the user tries to leave before answering.
  useEffect(() => {
    if (!isBlocked) return;
    askToLeave(
      () => answer(true),
      () => answer(false),
    );
  }, [isBlocked]);

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

/** Asks before unsaved input is lost. */
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
 * For pages that edit rows in the form for new ones: choosing a row loads it into the form, after a confirmation if there is
 * unsaved input. A row that is deleted meanwhile leaves the form to a new one.
 */
export function useEditedRow(rows: readonly { name: string }[] = []) {
  // Counted, because the same row may be chosen again.
  const [edited, setEdited] = useState<{ name?: string; times: number }>({ times: 0 });
  const [hasChanges, setHasChanges] = useState(false);
  const begin = (name?: string) => {
    setHasChanges(false);
    setEdited({ times: edited.times + 1, ...(name !== undefined && { name }) });
  };
  const name = rows.find((row) => row.name === edited.name)?.name;
  return {
    name,
    formKey: `${edited.times} ${name ?? ''}`,
    edit: (name: string) => (hasChanges ? askToLeave(() => begin(name)) : begin(name)),
    end: () => begin(),
    setHasChanges,
  };
}

/**
 * True when the page is mounted, and not behind the login form. The router keeps the blocker of a page that was behind it, even
 * after the page is gone.
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

/** The mutation that saves an edit. */
export interface Save {
  error: Error | null;
  isPending: boolean;
  reset: () => void;
}

/**
 * Holds a draft of a saved value, which is plain data. An untouched draft follows the saved value; an edited one stays, and the
 * page asks before it is lost. `isOutdated` is true when the saved value has changed since the edit began; `keep` keeps the draft
 * anyway, as a change of the new saved value. Each of these clears the answer to the last save.
 */
export function useUnsavedDraft<Value extends string | object>(saved: Value, save: Save) {
  const [edit, setEdit] = useState<{ draft: Value; from: Value | null } | null>(null);
  // The service may store another text than was sent.
  if (edit?.from === null) setEdit({ ...edit, from: saved });
  const isTouched = edit !== null && !isSame(edit.draft, edit.from);
  const draft = isTouched ? edit.draft : saved;
  const hasChanges = !isSame(draft, saved);
  const from = hasChanges ? (edit?.from ?? saved) : saved;
  useUnsavedChanges(hasChanges);
  const latest = useLatest(draft);
  const change = (next: typeof edit) => {
    clearAnswer(save);
    setEdit(next);
  };
  return {
    saved,
    draft,
    setDraft: (next: Value) => change({ draft: next, from }),
    discard: () => change(null),
    keep: () => change({ draft, from: saved }),
    /**
     * Ends the edit after `sent` was saved, and keeps what was typed during the save. Returns the options for leaving the page,
     * which asks first if something was typed.
     */
    endEdit: (sent: Value): NavigateOptions => {
      afterNews(() => setEdit((now) => (now && !isSame(now.draft, sent) ? { draft: now.draft, from: null } : null)));
      return isSame(latest.current, sent) ? WITHOUT_ASKING : {};
    },
    hasChanges,
    isOutdated: !isSame(from, saved),
    isSaving: save.isPending,
  };
}

/**
 * Holds the input of a form whose fields are saved independently. An untouched field follows its saved value, regardless of the
 * others. The page asks before input is lost. `isOutdated` is true when a saved value has changed since the first input; `keep`
 * keeps the input anyway. Each of these clears the answer to the last save.
 */
export function useUnsavedFields<Fields extends object>(saved: Fields, save: Save) {
  const [edit, setEdit] = useState<{ entered: Partial<Fields>; from: Fields | null } | null>(null);
  if (edit?.from === null) setEdit({ ...edit, from: saved });
  const draft: Fields = { ...saved, ...edit?.entered };
  const hasChanges = !isSame(draft, saved);
  const from = hasChanges ? (edit?.from ?? saved) : saved;
  useUnsavedChanges(hasChanges);
  const set = (next: typeof edit) => {
    clearAnswer(save);
    setEdit(next);
  };
  return {
    saved,
    draft,
    change: (entered: Partial<Fields>) =>
      set({ entered: changedFields<Fields>({ ...draft, ...entered }, saved), from }),
    discard: () => set(null),
    keep: () => set({ entered: changedFields(draft, saved), from: saved }),
    /** Ends the edit after `sent` was saved, and keeps what was entered during the save. */
    endEdit: (sent: Fields) =>
      afterNews(() =>
        setEdit((now) => now && { entered: changedFields<Fields>({ ...sent, ...now.entered }, sent), from: null }),
      ),
    hasChanges,
    isOutdated: !isSame(from, saved),
    isSaving: save.isPending,
  };
}

export type UnsavedFields<Fields extends object> = ReturnType<typeof useUnsavedFields<Fields>>;

/** Runs after the page has rendered all query results so far, such as the text that a save has stored. */
const afterNews = (act: () => void): void => notifyManager.schedule(act);

/** Returns the value of the last render. */
function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** Compares plain data without serialising it, because a draft may have a megabyte and is compared at each keystroke. */
const isSame = (one: unknown, other: unknown): boolean => replaceEqualDeep(one, other) === one;
