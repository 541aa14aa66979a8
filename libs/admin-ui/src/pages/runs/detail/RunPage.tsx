import { OnlyFor } from '../../../components/OnlyFor';
import { SimpleGrid, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { JsonBlock } from '../../../components/JsonBlock';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { TextLink } from '../../../components/TextLink';
import { type FullRun, useRun } from '../use-runs';
import { QuestionForm } from './QuestionForm';
import { RunActions } from './RunActions';
import { RunFacts } from './RunFacts';
import { RunLogs } from './RunLogs';
import { RunSteps } from './RunSteps';
import { ProblemNotice } from './StepDetails';

export default function RunPage() {
  const { id = '' } = useParams();
  const query = useRun(id);
  const { data: run, dataUpdatedAt } = query;
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
        <QueryState query={query} height={160} />
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
