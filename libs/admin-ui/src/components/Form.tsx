import type { ComponentProps, SubmitEvent } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void;
}

/** A form that is sent by the page. The service validates its fields, except one that the browser cannot read. */
export function Form({ onSubmit, ...props }: FormProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The value of such a field, as of a date without its time, is empty.
    const unread = [...event.currentTarget.querySelectorAll('input')].find(({ validity }) => validity.badInput);
    if (unread) unread.reportValidity();
    else onSubmit();
  };
  return <form onSubmit={submit} noValidate {...props} />;
}

/** Clears the last answer when a form is edited again. A pending request is kept, because `reset` would drop its callbacks. */
export function clearAnswer(mutation: { isPending: boolean; reset: () => void }): void {
  if (!mutation.isPending) mutation.reset();
}
