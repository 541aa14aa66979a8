import { SimpleGrid, Text } from '@mantine/core';
import { JsonBlock } from '../../../components/JsonBlock';
import { Section } from '../../../components/Section';
import type { Skill } from '../use-skills';

export function SkillSchemas({ skill }: { skill: Skill }) {
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
