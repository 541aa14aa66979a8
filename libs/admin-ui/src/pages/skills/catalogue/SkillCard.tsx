import { Badge, Group, List, Paper, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { TextLink } from '../../../components/TextLink';
import { countOf } from '../../../text/format';
import { AnnotationBadges } from '../AnnotationBadges';
import { CallFigures } from '../CallFigures';
import { skillPage } from '../skill-sources';
import { SkillOrigin } from '../SkillOrigin';
import { SkillSwitch } from '../SkillSwitch';
import type { Skill } from '../use-skills';

export function SkillCard({ skill }: { skill: Skill }) {
  return (
    <Paper component="article" aria-label={skill.name} withBorder p="md">
      <Group justify="space-between" align="start" wrap="nowrap">
        <Stack gap={4}>
          <Group gap="xs">
            <Text fw={600}>
              <TextLink to={skillPage(skill)}>{skill.name}</TextLink>
            </Text>
            {skill.title && <Text>{skill.title}</Text>}
          </Group>
          <Text size="sm" c="dimmed" lineClamp={2}>
            {skill.description}
          </Text>
          {skill.problems.length > 0 && (
            <List size="sm" c="var(--app-bad)" listStyleType="none">
              {skill.problems.map((problem) => (
                <List.Item key={problem} style={{ overflowWrap: 'anywhere' }}>
                  {problem}
                </List.Item>
              ))}
            </List>
          )}
        </Stack>
        {skill.inputSchema && <SkillSwitch skill={skill} />}
      </Group>
      <Group mt="sm" gap="xs" justify="space-between">
        <Group gap={6}>
          <SkillOrigin skill={skill} />
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
