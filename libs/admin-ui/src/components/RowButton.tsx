import { Button } from '@mantine/core';

interface RowButtonProps {
  /** What it does, such as "Delete". */
  children: string;
  /** What the row is about: who does not see the row hears it after what the button does, as in "Delete: nightly-report". */
  of: string;
  isBusy?: boolean;
  onClick: () => void;
}

/** A button in a row of a table. */
export function RowButton({ children, of, isBusy = false, onClick }: RowButtonProps) {
  return (
    <Button size="xs" variant="default" loading={isBusy} aria-label={`${children}: ${of}`} onClick={onClick}>
      {children}
    </Button>
  );
}

interface RowToggleProps<Value> {
  children: string;
  /** What it is called for those who do not see the row. */
  label: string;
  value: Value;
  /** The value of the row that is chosen; null = none. */
  chosen: Value | null;
  onChoose: (value: Value | null) => void;
}

/** A button in a row of a table that chooses the row, or no row when it is chosen. */
export function RowToggle<Value>({ children, label, value, chosen, onChoose }: RowToggleProps<Value>) {
  const isChosen = chosen === value;
  return (
    <Button
      size="xs"
      variant="default"
      aria-pressed={isChosen}
      aria-label={label}
      onClick={() => onChoose(isChosen ? null : value)}
    >
      {children}
    </Button>
  );
}
