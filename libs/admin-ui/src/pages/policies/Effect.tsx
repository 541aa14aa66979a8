import { Badge } from '@mantine/core';
import type { Policy } from './use-policies';

/** Shows whether a policy permits or forbids. */
export function Effect({ effect }: { effect: Policy['effect'] }) {
  return (
    <Badge miw="max-content" color={effect === 'permit' ? 'teal' : 'red'}>
      {effect === 'permit' ? 'Permits' : 'Forbids'}
    </Badge>
  );
}
