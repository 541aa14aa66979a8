import { useEffect } from 'react';
import { NavigationType, useBlocker } from 'react-router';
import { confirm } from './confirm';

/** How a page moves on by itself once nothing is left to save, with nobody asked. */
export const WITHOUT_ASKING = { state: 'nothing to save' } as const;

/** Asks before the page is left with changes that are not saved, be it for another page or for good. */
export function useUnsavedChanges(hasChanges: boolean): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      hasChanges &&
      currentLocation.pathname !== nextLocation.pathname &&
      // The history keeps the state: who comes back to such a page has to be asked.
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
