import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { Trial } from '../trial/Trial';
import { type Skill, useSkill } from '../use-skills';
import { SkillLimits } from './SkillLimits';
import { JsonBlock } from '../../../components/JsonBlock';
import { Section } from '../../../components/Section';
import { AnnotationBadges } from '../AnnotationBadges';
import { CallFigures } from '../CallFigures';
import { CheckWarnings } from '../CheckWarnings';
import { SkillOrigin } from '../SkillOrigin';
import { SkillSwitch } from '../SkillSwitch';

export default function SkillPage() {
  const { name = '' } = useParams();
  const query = useSkill(name);
  const skill = query.data;
  return (
    <>
      <TextLink to="/skills">All skills</TextLink>
      <PageHeader title={name} about={skill?.title} />
      <Stack>
        <QueryState query={query} height={160} />
        {skill && (
          <>
            <SkillFacts skill={skill} />
            <OnlyFor role="editor">
              <Trial key={skill.name} skill={skill} />
            </OnlyFor>
            <SkillLimits key={`limits of ${skill.name}`} skill={skill} />
            <SkillSchemas skill={skill} />
          </>
        )}
      </Stack>
    </>
  );
}

function SkillSchemas({ skill }: { skill: Skill }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title="Input schema">
        <JsonBlock label="Input schema, JSON" value={skill.inputSchema} />
      </Section>
      <Section title="Output schema">
        {skill.outputSchema ? (
          <JsonBlock label="Output schema, JSON" value={skill.outputSchema} />
        ) : (
          <Text size="sm" c="dimmed">
            None: the skill returns text or other content.
          </Text>
        )}
      </Section>
    </SimpleGrid>
  );
}

function SkillFacts({ skill }: { skill: Skill }) {
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
