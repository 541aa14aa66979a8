import { notifications } from '@mantine/notifications';
import { messageOf } from './ErrorNotice';

const closeButtonProps = { 'aria-label': 'Close' };

export function showDone(message: string): void {
  notifications.show({ message, color: 'teal', closeButtonProps });
}

/** Shows that something is done, or why it failed, even if its page has been left in the meantime. */
export const showOutcome = <Result>(work: Promise<Result>, done: string | ((result: Result) => string)): void =>
  void work.then((result) => showDone(typeof done === 'string' ? done : done(result)), showError);

export function showError(error: unknown): void {
  notifications.show({
    title: 'Something went wrong',
    message: messageOf(error),
    color: 'red',
    autoClose: 10_000,
    closeButtonProps,
  });
}
