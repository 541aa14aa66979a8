import { Badge } from '@mantine/core';

const COLORS: Record<string, string> = { ok: 'teal', started: 'blue', cancelled: 'gray' };

export const OUTCOMES: Record<string, string> = {
  ok: 'OK',
  started: 'Started',
  error: 'Failed',
  invalid: 'Wrong arguments',
  denied: 'Denied',
  missing: 'No key',
  unknown: 'Unknown',
  timeout: 'Timed out',
  cancelled: 'Cancelled',
  throttled: 'Too many',
};

/** Shows an outcome. */
export function Outcome({ outcome }: { outcome: string }) {
  return (
    <Badge variant="light" color={COLORS[outcome] ?? 'red'} autoContrast miw="max-content">
      {OUTCOMES[outcome] ?? outcome}
    </Badge>
  );
}
