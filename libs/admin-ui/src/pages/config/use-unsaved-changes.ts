import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { confirm } from '../../components/confirm';

/** Asks before the page is left with changes that are not saved, be it for another page or for good. */
export function useUnsavedChanges(hasChanges: boolean): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasChanges && currentLocation.pathname !== nextLocation.pathname,
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
