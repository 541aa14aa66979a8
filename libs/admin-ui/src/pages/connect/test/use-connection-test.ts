import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { type StepResult, testConnection } from './connection-test';
import { senderTo } from './exchange';

/** Runs the test with a key, which is not stored. */
export function useConnectionTest(url: string) {
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
