import { Badge, Group } from '@mantine/core';
import { badgesOf } from './annotation-rules';
import type { Skill } from './use-skills';

export function AnnotationBadges({ skill }: { skill: Skill }) {
  return (
    <Group gap={6}>
      {badgesOf(skill.annotations).map(({ text, isRisky }) => (
        <Badge key={text} color={isRisky ? 'orange' : 'gray'}>
          {text}
        </Badge>
      ))}
    </Group>
  );
}
