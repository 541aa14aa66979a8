import { Badge, Group, Text } from '@mantine/core';
import { TextLink } from '../../components/TextLink';
import { ownerPage, SOURCES, STATES } from './skill-sources';
import type { Skill } from './use-skills';

/** Shows the source of a skill, with a link, and whether clients get it. */
export function SkillOrigin({ skill }: { skill: Skill }) {
  const { text, color } = STATES[skill.state];
  const page = ownerPage(skill);
  return (
    <Group gap={6}>
      <Badge color={color}>{text}</Badge>
      <Text size="sm" c="dimmed">
        {SOURCES[skill.source]}
        {page !== null && (
          <>
            {': '}
            <TextLink to={page}>{skill.owner ?? 'all of them'}</TextLink>
          </>
        )}
      </Text>
    </Group>
  );
}
