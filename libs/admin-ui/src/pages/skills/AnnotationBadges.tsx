import { Badge, Group } from '@mantine/core';
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

interface Hint {
  text: string;
  isRisky: boolean;
}

// The badge for each value of an annotation. Values without an entry get no badge.
const HINTS: Readonly<Record<string, { true?: Hint; false?: Hint }>> = {
  readOnlyHint: { true: { text: 'Read-only', isRisky: false }, false: { text: 'Changes things', isRisky: false } },
  destructiveHint: { true: { text: 'Destructive', isRisky: true } },
  idempotentHint: { true: { text: 'Safe to repeat', isRisky: false } },
  openWorldHint: { true: { text: 'Reaches outside', isRisky: false } },
};

/** Returns the annotations of a skill in words. */
function badgesOf(annotations: Readonly<Record<string, boolean>> | null): Hint[] {
  const hints = Object.entries(annotations ?? {}).map(([name, value]) => HINTS[name]?.[value ? 'true' : 'false']);
  return hints.filter((hint) => hint !== undefined);
}
