import type { ComponentProps, SubmitEvent } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void;
}

/** A form that is sent by the page. The service validates its fields. */
export function Form({ onSubmit, ...props }: FormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return <form onSubmit={submit} noValidate {...props} />;
}

/** Clears the last answer when a form is edited again. A pending request is kept, because `reset` would drop its callbacks. */
export function clearAnswer(mutation: { isPending: boolean; reset: () => void }): void {
  if (!mutation.isPending) mutation.reset();
}
