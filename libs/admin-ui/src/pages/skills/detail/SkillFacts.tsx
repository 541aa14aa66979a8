import { Group, Paper, Stack, Text } from '@mantine/core';
import { AnnotationBadges } from '../AnnotationBadges';
import { CallFigures } from '../CallFigures';
import { CheckWarnings } from '../CheckWarnings';
import { SkillOrigin } from '../SkillOrigin';
import { SkillSwitch } from '../SkillSwitch';
import type { Skill } from '../use-skills';

export function SkillFacts({ skill }: { skill: Skill }) {
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Text style={{ whiteSpace: 'pre-wrap' }}>{skill.description}</Text>
        <SkillOrigin skill={skill} />
        <Group justify="space-between">
          <AnnotationBadges skill={skill} />
          <CallFigures skill={skill} />
        </Group>
        <Group gap="xs">
          <SkillSwitch skill={skill} />
          <Text size="sm">
            {skill.enabled ? 'Enabled: clients see it and may call it.' : 'Disabled: no client sees it.'}
          </Text>
        </Group>
        <CheckWarnings warnings={skill.warnings} />
      </Stack>
    </Paper>
  );
}
