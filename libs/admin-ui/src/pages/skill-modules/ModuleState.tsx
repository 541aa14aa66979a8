import { Badge } from '@mantine/core';
import type { ModuleItem } from './use-modules';

type State = Pick<ModuleItem, 'enabled' | 'isWaiting' | 'offered' | 'problems'>;

/** Shows what clients get from a module. */
export function ModuleState({ item }: { item: State }) {
  const [color, text] = stateOf(item);
  return <Badge color={color}>{text}</Badge>;
}

function stateOf({ enabled, isWaiting, offered, problems }: State): [color: string, text: string] {
  if (!enabled) return problems.length > 0 ? ['red', 'Disabled by the service'] : ['gray', 'Disabled'];
  if (isWaiting) return ['orange', offered === null ? 'Waits for approval' : `Version ${offered}; a newer one waits`];
  return problems.length > 0 ? ['red', 'Has errors'] : ['teal', 'Offered'];
}
