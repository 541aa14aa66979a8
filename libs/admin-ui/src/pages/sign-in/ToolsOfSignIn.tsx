import { Text } from '@mantine/core';
import { formatNumber } from '../../text/format';
import type { Schemas } from '../../api/client';

type Tool = Schemas['ClientToolView'];

/** Shows what a person could do through a program. */
export function ToolsOfSignIn({ tools }: { tools: readonly Tool[] }) {
  const usable = tools.filter(({ use }) => use !== 'refused');
  if (usable.length === 0) return <Text>The policies allow you no tools, so the program can only read.</Text>;
  const asked = usable.filter(({ use }) => use === 'approval');
  return (
    <details>
      <summary>
        It could use {formatNumber(usable.length)} {usable.length === 1 ? 'tool' : 'tools'}, as the policies let you
        {asked.length > 0 &&
          `; calls of ${formatNumber(asked.length)} ${asked.length === 1 ? 'tool' : 'tools'} wait for a person`}
      </summary>
      <ul>
        {usable.map(({ name, title, use }) => (
          <li key={name}>
            <Text size="sm">
              {title ?? name}
              {title && (
                <Text span c="dimmed">
                  {' '}
                  {name}
                </Text>
              )}
              {use === 'approval' && ' (once a person has confirmed it)'}
              {use === 'depends' && ' (some calls)'}
            </Text>
          </li>
        ))}
      </ul>
    </details>
  );
}
