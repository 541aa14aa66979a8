import { Button } from '@mantine/core';
import { onFirstClick } from './first-click';

interface RowButtonProps {
  /** What it does, such as "Delete". */
  children: string;
  /** The subject of the row, for screen readers: read after the action, as in "Delete: nightly-report". */
  of: string;
  isBusy?: boolean;
  onClick: () => void;
}

/** A button in a row of a table. */
export function RowButton({ children, of, isBusy = false, onClick }: RowButtonProps) {
  return (
    <Button
      size="xs"
      variant="default"
      loading={isBusy}
      aria-label={`${children}: ${of}`}
      onClick={onFirstClick(onClick)}
    >
      {children}
    </Button>
  );
}

/** A change of one row of a table, by its id. */
export interface RowAction {
  mutate: (id: string, options: { onError: (error: unknown) => void }) => void;
  isPending: boolean;
}

interface RowToggleProps<Value> {
  children: string;
  /** Label for screen readers. */
  label: string;
  value: Value;
  /** The value of the chosen row; null = none. */
  chosen: Value | null;
  onChoose: (value: Value | null) => void;
}

/** A toggle button that chooses a row of a table. */
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

interface CompareToggleProps {
  version: number;
  /** The version that is compared; null = none. */
  compared: number | null;
  onCompare: (version: number | null) => void;
}

/** A toggle button that compares a previous version with the current one. */
export function CompareToggle({ version, compared, onCompare }: CompareToggleProps) {
  return (
    <RowToggle
      label={`Compare version ${version} with the current one`}
      value={version}
      chosen={compared}
      onChoose={onCompare}
    >
      Compare
    </RowToggle>
  );
}
