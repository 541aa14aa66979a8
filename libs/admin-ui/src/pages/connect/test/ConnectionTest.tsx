import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Form } from '../../../components/Form';
import { Section } from '../../../components/Section';
import { TestResults } from './TestResults';
import { useConnectionTest } from './use-connection-test';

interface ConnectionTestProps {
  /** URL of the endpoint at the origin of these pages. */
  url: string;
  /** Initial value of the field for the key. */
  initialKey: string;
}

export function ConnectionTest({ url, initialKey }: ConnectionTestProps) {
  const [key, setKey] = useState(initialKey);
  const { results, error, isRunning, run } = useConnectionTest(url);
  return (
    <Section
      title="Test the connection"
      about={`Sends MCP requests from this browser to ${url}, with a session and without one.`}
    >
      <Form onSubmit={() => run(key.trim())}>
        <Group align="end">
          <PasswordInput
            label="API key"
            description="Used for this test only, and not stored."
            autoComplete="off"
            flex="1 1 240px"
            maw={480}
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <Button type="submit" loading={isRunning} disabled={key.trim() === ''}>
            Run test
          </Button>
        </Group>
      </Form>
      <Stack mt="md" aria-live="polite">
        {error && <ErrorNotice error={error} />}
        {results.length > 0 && <TestResults results={results} />}
      </Stack>
    </Section>
  );
}
