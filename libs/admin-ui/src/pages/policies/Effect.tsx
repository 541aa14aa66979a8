import { Badge } from '@mantine/core';
import type { Policy } from './use-policies';

/** Shows whether a policy permits, asks a person first, or forbids. */
export function Effect({ policy: { effect, asks } }: { policy: Pick<Policy, 'effect' | 'asks'> }) {
  const [color, label] = effect === 'forbid' ? ['red', 'Forbids'] : asks ? ['orange', 'Asks'] : ['teal', 'Permits'];
  return (
    <Badge miw="max-content" color={color}>
      {label}
    </Badge>
  );
}
