import { useEffect } from 'react';
import { NavigationType, useBlocker } from 'react-router';
import { confirm } from './confirm';

/** Navigates away after saving, without asking about unsaved changes. */
export const WITHOUT_ASKING = { state: 'nothing to save' } as const;

/** Asks before the user leaves the page with unsaved changes, for another page or another site. */
export function useUnsavedChanges(hasChanges: boolean): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      hasChanges &&
      currentLocation.pathname !== nextLocation.pathname &&
      // The history keeps the state, so a user who comes back to such a page is asked, too.
      (historyAction === NavigationType.Pop || nextLocation.state !== WITHOUT_ASKING.state),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    confirm({
      title: 'Leave without saving?',
      text: 'Some changes on this page are not saved. They are lost when you leave.',
      confirm: 'Leave',
      cancel: 'Stay',
      onConfirm: () => blocker.proceed(),
      onCancel: () => blocker.reset(),
    });
  }, [blocker]);

  useEffect(() => {
    if (!hasChanges) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasChanges]);
}
