import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { TextLink } from '../../../components/TextLink';
import { countOf } from '../../../text/format';
import { AnnotationBadges } from '../AnnotationBadges';
import { CallFigures } from '../CallFigures';
import { SkillSwitch } from '../SkillSwitch';
import type { Skill } from '../use-skills';

export function SkillCard({ skill }: { skill: Skill }) {
  return (
    <Paper component="article" aria-label={skill.name} withBorder p="md">
      <Group justify="space-between" align="start" wrap="nowrap">
        <Stack gap={4}>
          <Group gap="xs">
            <Text fw={600}>
              <TextLink to={`/skills/${skill.name}`}>{skill.name}</TextLink>
            </Text>
            {skill.title && <Text>{skill.title}</Text>}
          </Group>
          <Text size="sm" c="dimmed" lineClamp={2}>
            {skill.description}
          </Text>
        </Stack>
        <SkillSwitch skill={skill} />
      </Group>
      <Group mt="sm" gap="xs" justify="space-between">
        <Group gap={6}>
          <AnnotationBadges skill={skill} />
          {skill.warnings.length > 0 && (
            <Badge color="orange" leftSection={<AlertIcon size={12} aria-hidden />}>
              {countOf(skill.warnings.length, 'warning')}
            </Badge>
          )}
        </Group>
        <CallFigures skill={skill} />
      </Group>
    </Paper>
  );
}
