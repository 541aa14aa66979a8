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

/** The open dialogs. */
const asked = new Set<string>();

/** Asks for confirmation of an action that affects others. */
export function confirm({ title, text, confirm: label, cancel = 'Cancel', onConfirm, onCancel }: Question): void {
  let isAnswered = false; // the dialog can still be clicked on while it fades out
  const id = modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm: label, cancel },
    confirmProps: { color: 'red.9' },
    closeButtonProps: { 'aria-label': 'Close' },
    // The second click of a double click on what asks is a click outside.
    closeOnClickOutside: false,
    onConfirm: () => {
      if (isAnswered) return;
      isAnswered = true;
      onConfirm();
    },
    // Runs however the dialog is closed: by a button or the Escape key.
    onClose: () => {
      asked.delete(id);
      if (!isAnswered) onCancel?.();
      isAnswered = true;
    },
  });
  asked.add(id);
}

/** Cancels all open dialogs, because their page is left. */
export function closeQuestions(): void {
  for (const id of asked) modals.close(id);
}
