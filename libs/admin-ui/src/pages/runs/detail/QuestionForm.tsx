import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ArgumentsForm } from '../../../components/arguments-form/ArgumentsForm';
import { Ago } from '../../../components/Moment';
import { Section } from '../../../components/Section';
import { useUnsavedChanges } from '../../../components/use-unsaved-changes';
import type { OpenQuestion } from '../use-runs';
import { useAnswer } from '../../../api/questions';

/** Form for an open question of a run. */
export function QuestionForm({ question: { runId, step, question, askedAt } }: { question: OpenQuestion }) {
  const answer = useAnswer(runId);
  const [isEdited, setEdited] = useState(false);
  useUnsavedChanges(isEdited && !answer.isPending);
  const isApproval = Object.keys(question.schema['properties'] ?? {}).length === 0;
  return (
    <Section
      title="This run waits for an answer"
      about={
        <>
          Asked <Ago at={askedAt} />. The answer is recorded under your name.
        </>
      }
    >
      <Stack gap="sm">
        <Text fw={600} style={{ whiteSpace: 'pre-wrap' }}>
          {question.message}
        </Text>
        <ArgumentsForm
          schema={question.schema}
          submit={isApproval ? 'Approve' : 'Send the answer'}
          noFields="Approve or decline."
          isRunning={answer.isPending}
          onEdit={() => setEdited(true)}
          onRun={(content) => answer.mutate({ step, action: 'accept', content })}
        >
          <Button
            variant="default"
            disabled={answer.isPending}
            onClick={() => answer.mutate({ step, action: 'decline', content: null })}
          >
            Decline
          </Button>
        </ArgumentsForm>
      </Stack>
    </Section>
  );
}
