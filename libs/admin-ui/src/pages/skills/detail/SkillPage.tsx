import { OnlyFor } from '../../../components/OnlyFor';
import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';
import { PageHeader } from '../../../components/PageHeader';
import { TextLink } from '../../../components/TextLink';
import { Trial } from '../trial/Trial';
import { useSkill } from '../use-skills';
import { SkillFacts } from './SkillFacts';
import { SkillLimits } from './SkillLimits';
import { SkillSchemas } from './SkillSchemas';

export default function SkillPage() {
  const { name = '' } = useParams();
  const { data: skill, error, isPending, refetch } = useSkill(name);
  return (
    <>
      <TextLink to="/skills">All skills</TextLink>
      <PageHeader title={name} about={skill?.title} />
      <Stack>
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {isPending && <LoadingLines height={160} />}
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
