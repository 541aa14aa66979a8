import { Alert, Image, Stack, Text } from '@mantine/core';
import { AlertIcon, CheckCircleIcon, PlayIcon, QuestionIcon } from '@primer/octicons-react';
import { JsonBlock } from '../../../components/JsonBlock';
import { TextLink } from '../../../components/TextLink';
import type { Outcome } from './trial-state';
import type { Json } from '../../../mcp/json-rpc';

export function TrialResult({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === 'error') {
    return (
      <Alert color="red" icon={<AlertIcon aria-hidden />} title={`The call failed (${outcome.error.code})`}>
        {outcome.error.message}
      </Alert>
    );
  }
  if (outcome.kind === 'question') {
    return (
      <>
        <Alert color="blue" icon={<QuestionIcon aria-hidden />} title="The skill needs more input">
          This form can't answer it: run the skill from an assistant.
        </Alert>
        <JsonBlock label="What the skill asks for" value={outcome.result} />
      </>
    );
  }
  if (outcome.kind === 'run') {
    return (
      <Alert color="blue" icon={<PlayIcon aria-hidden />} title="Continues as a run">
        It has not ended yet, and continues without this page.{' '}
        <TextLink to={`/runs/${outcome.id}`}>Open the run</TextLink> to follow it, and to answer what it asks.
      </Alert>
    );
  }
  const { content, structured, isError } = outcome;
  return (
    <Stack gap="sm">
      {isError ? (
        <Alert color="red" icon={<AlertIcon aria-hidden />} title="The skill reports an error" />
      ) : (
        <Alert color="teal" icon={<CheckCircleIcon aria-hidden />} title="Done" />
      )}
      {content.map((block, index) => (
        <ContentBlock key={index} block={block} />
      ))}
      {structured !== undefined && (
        <>
          <Text size="sm">Structured content</Text>
          <JsonBlock label="Structured content" value={structured} />
        </>
      )}
    </Stack>
  );
}

// Only formats that cannot contain scripts.
const SHOWN_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];

/** Shows one content block of a result: text, an image, or the JSON of any other type. */
function ContentBlock({ block }: { block: Json }) {
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string') {
    return (
      <Text component="pre" size="sm" m={0} ff="monospace" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    );
  }
  if (type === 'image' && typeof data === 'string' && SHOWN_IMAGES.includes(String(mimeType))) {
    return (
      <Image src={`data:${String(mimeType)};base64,${data}`} alt="Returned by the skill" fit="contain" mah={400} />
    );
  }
  return <JsonBlock label={`Content of type ${String(type)}`} value={block} />;
}
