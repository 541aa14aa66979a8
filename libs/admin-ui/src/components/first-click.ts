/**
 * Ignores the second click of a double click: after a button removes its row, that click would hit the same button of the next
 * row.
 */
export const onFirstClick =
  (act: () => void) =>
  ({ detail }: { detail: number }): void => {
    if (detail < 2) act();
  };
