/**
 * Leaves out the second click of a double click: a button that takes its row away would be followed by the same button of the
 * next row.
 */
export const onFirstClick =
  (act: () => void) =>
  ({ detail }: { detail: number }): void => {
    if (detail < 2) act();
  };
