import { OnlyFor } from '../../../components/OnlyFor';
import { SimpleGrid, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { JsonBlock } from '../../../components/JsonBlock';
import { LoadingLines } from '../../../components/LoadingLines';
import { PageHeader } from '../../../components/PageHeader';
import { Section } from '../../../components/Section';
import { TextLink } from '../../../components/TextLink';
import type { FullRun } from '../run-types';
import { useRun } from '../use-runs';
import { QuestionForm } from './QuestionForm';
import { RunActions } from './RunActions';
import { RunFacts } from './RunFacts';
import { RunLogs } from './RunLogs';
import { RunSteps } from './RunSteps';
import { ProblemNotice } from './StepDetails';

export default function RunPage() {
  const { id = '' } = useParams();
  const { data: run, error, isPending, refetch, dataUpdatedAt } = useRun(id);
  return (
    <>
      <TextLink to="/runs">All runs</TextLink>
      <PageHeader
        title={run ? `Run of ${run.name}` : 'Run'}
        actions={
          run && (
            <OnlyFor role="editor">
              <RunActions run={run} />
            </OnlyFor>
          )
        }
      />
      <Stack>
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {isPending && <LoadingLines height={160} />}
        {run && (
          <>
            <RunFacts run={run} />
            {run.openQuestions.map((question) => (
              <OnlyFor key={`${id} ${question.step}`} role="editor">
                <QuestionForm question={question} />
              </OnlyFor>
            ))}
            {run.error && <ProblemNotice problem={run.error} />}
            <RunSteps key={id} run={run} now={new Date(dataUpdatedAt)} />
            <InputAndOutput run={run} />
            <RunLogs logs={run.logs} />
          </>
        )}
      </Stack>
    </>
  );
}

function InputAndOutput({ run }: { run: FullRun }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title="Input">
        <JsonBlock label="Input of the run" value={run.input} />
      </Section>
      {run.status === 'completed' && (
        <Section title="Output">
          <JsonBlock label="Output of the run" value={run.output} />
        </Section>
      )}
    </SimpleGrid>
  );
}
