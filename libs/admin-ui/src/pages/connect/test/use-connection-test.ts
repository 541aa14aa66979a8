import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type StepResult, testConnection } from './connection-test';
import { senderTo } from './exchange';

/** Runs the test with a key, which is not stored. */
export function useConnectionTest(url: string) {
  const [results, setResults] = useState<readonly StepResult[]>([]);
  const { mutate, isPending } = useMutation({
    mutationFn: async (key: string) => {
      setResults([]);
      for await (const result of testConnection(senderTo(url, key), () => performance.now())) {
        setResults((before) => [...before, result]);
      }
    },
  });
  return { results, isRunning: isPending, run: mutate };
}
