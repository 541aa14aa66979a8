import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

interface Question {
  title: string;
  text: string;
  confirm: string;
  cancel?: string;
  onConfirm: () => void;
  onCancel?: () => void;
}

/** Asks for confirmation of something that takes away what others see. */
export function confirm({ title, text, confirm: label, cancel = 'Cancel', onConfirm, onCancel }: Question): void {
  let isConfirmed = false;
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm: label, cancel },
    confirmProps: { color: 'red.9' },
    closeButtonProps: { 'aria-label': 'Close' },
    onConfirm: () => {
      isConfirmed = true;
      onConfirm();
    },
    // Runs however the dialog is closed: by its button, the Escape key or a click outside.
    onClose: () => {
      if (!isConfirmed) onCancel?.();
    },
  });
}
