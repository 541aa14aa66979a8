/** Clears the last answer when a form is edited again. A pending request is kept, because `reset` would drop its callbacks. */
export function clearAnswer(mutation: { isPending: boolean; reset: () => void }): void {
  if (!mutation.isPending) mutation.reset();
}
