import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Form } from '../../../components/Form';
import { Section } from '../../../components/Section';
import { TestResults } from './TestResults';
import { api, bodyOf } from '../../../api/client';
import { type StepResult, testConnection } from './connection-test';
import { senderTo } from './exchange';

interface ConnectionTestProps {
  /** URL of the endpoint at the origin of these pages. */
  url: string;
  /** Initial value of the field for the key. */
  initialKey: string;
}

export function ConnectionTest({ url, initialKey }: ConnectionTestProps) {
  const [key, setKey] = useState(initialKey);
  const { results, error, isRunning, run } = useConnectionTest(url);
  const isKey = /^[!-~]*$/.test(key.trim());
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
            error={!isKey && 'This is not a whole key: keys have no spaces, and no characters such as “…”.'}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <Button type="submit" loading={isRunning} disabled={key.trim() === '' || !isKey}>
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

/** Runs the test with a key, which is not stored. */
function useConnectionTest(url: string) {
  const [results, setResults] = useState<readonly StepResult[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (key: string) => {
      setResults([]);
      const { pass } = await bodyOf(api.GET('/admin/api/overview/own-page'));
      for await (const result of testConnection(senderTo(url, key, pass), () => performance.now())) {
        setResults((before) => [...before, result]);
      }
    },
  });
  return { results, error, isRunning: isPending, run: mutate };
}
