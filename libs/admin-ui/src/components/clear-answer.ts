/** Clears the last answer to a form that is edited again; one that is under way still arrives, and says how it ended. */
export function clearAnswer(mutation: { isPending: boolean; reset: () => void }): void {
  if (!mutation.isPending) mutation.reset();
}
