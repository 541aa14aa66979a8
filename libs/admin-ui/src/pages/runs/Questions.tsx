import { Button, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { useAnswer, useQuestions } from '../../api/questions';
import type { Schemas } from '../../api/client';
import { Caller } from '../../components/Caller';
import { Ago } from '../../components/Moment';
import { onFirstClick } from '../../components/first-click';
import { OnlyFor } from '../../components/OnlyFor';
import { Section } from '../../components/Section';
import { TextLink } from '../../components/TextLink';
import { countOf } from '../../text/format';

type Asked = Schemas['AskedQuestionView'];

/** Shows the open questions of runs, with buttons for answers that need no form. Shows nothing when there are none. */
export function Questions() {
  const { data } = useQuestions();
  if (!data || data.items.length === 0) return null;
  const others = data.count - data.items.length;
  return (
    <Section title="Waiting for a person" about={`${countOf(data.count, 'answer')} awaited, the oldest first.`}>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Questions">
        {data.items.map((asked) => (
          <Question key={`${asked.runId} ${asked.step}`} asked={asked} />
        ))}
      </Stack>
      {others > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {`And ${others} more.`}
        </Text>
      )}
    </Section>
  );
}

function Question({ asked: { runId, step, name, client, question, askedAt } }: { asked: Asked }) {
  const answer = useAnswer(runId);
  const isApproval = Object.keys(question.schema['properties'] ?? {}).length === 0;
  const accept = () => answer.mutate({ step, action: 'accept', content: {} });
  const decline = () => answer.mutate({ step, action: 'decline', content: null });
  return (
    <li>
      <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0 }}>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{question.message}</Text>
      </ScrollArea.Autosize>
      <Text size="sm" c="dimmed" mb={6}>
        <TextLink to={`/runs/${encodeURIComponent(runId)}`}>{`Run of ${name}`}</TextLink>
        {' for '}
        <Caller name={client} />
        {', asked '}
        <Ago at={askedAt} />
      </Text>
      <OnlyFor role="editor">
        {isApproval && (
          <Group gap="xs">
            <Button size="xs" loading={answer.isPending} onClick={onFirstClick(accept)}>
              Approve
            </Button>
            <Button size="xs" variant="default" disabled={answer.isPending} onClick={onFirstClick(decline)}>
              Decline
            </Button>
          </Group>
        )}
      </OnlyFor>
    </li>
  );
}
