import { notifications } from '@mantine/notifications';
import { messageOf } from './ErrorNotice';

const closeButtonProps = { 'aria-label': 'Close' };

export function showDone(message: string): void {
  notifications.show({ message, color: 'teal', closeButtonProps });
}

export function showError(error: unknown): void {
  notifications.show({
    title: 'Something went wrong',
    message: messageOf(error),
    color: 'red',
    autoClose: 10_000,
    closeButtonProps,
  });
}
