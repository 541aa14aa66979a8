import { OnlyFor } from '../../../components/OnlyFor';
import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { Trial } from '../trial/Trial';
import { useSkill } from '../use-skills';
import { SkillFacts } from './SkillFacts';
import { SkillLimits } from './SkillLimits';
import { SkillSchemas } from './SkillSchemas';

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
