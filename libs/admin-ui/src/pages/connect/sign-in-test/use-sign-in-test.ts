import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { TIME_LIMIT_MS } from '../../../api/time-limit';
import type { StepResult } from '../test/connection-test';
import { senderTo } from '../test/exchange';
import { beginSignIn, type Begun, type Register, registerItself, TEST_PROGRAM } from './begin';
import { finishSignIn } from './finish';
import { type Bench, StepFailed } from './oauth-steps';

/** Starts the test, and leaves the page for the consent of the person. */
export function useBeginSignInTest() {
  const [results, bench] = useBench();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (resource: string) => {
      const done: StepResult[] = [];
      const report = (step: StepResult) => {
        done.push(step);
        bench.report(step);
      };
      bench.clear();
      const { value } = await bodyOf(
        api.GET('/admin/api/config/{key}', { params: { path: { key: 'oauth.programs' } } }),
      );
      const register = value === 'listed' ? enterByHand : registerItself({ ...bench, report });
      const { begun, link } = await beginSignIn({ ...bench, report }, resource, register);
      keepTest({ begun, results: done });
      window.location.assign(link);
    },
  });
  return { results, error: unreported(error), isRunning: isPending, begin: mutate };
}

/** Continues the test after the redirect. */
export function useFinishSignInTest() {
  const [results, bench] = useBench();
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: async (back: URLSearchParams) => {
      const test = takeTest();
      if (!test) return 'nothing kept';
      for (const step of test.results) bench.report(step);
      const { pass } = await bodyOf(api.GET('/admin/api/overview/own-page'));
      try {
        await finishSignIn(bench, test.begun, back, (token) => senderTo(test.begun.resource, token, pass));
      } finally {
        await api.DELETE('/admin/api/programs/{id}', { params: { path: { id: test.begun.clientId } } });
      }
      return 'finished';
    },
  });
  return { results, error: unreported(error), isRunning: isPending, outcome: data, finish: mutate };
}

/** Failed steps are already among the results. */
const unreported = (error: unknown): unknown => (error instanceof StepFailed ? null : error);

function useBench(): [results: readonly StepResult[], bench: Bench & { clear: () => void }] {
  const [results, setResults] = useState<readonly StepResult[]>([]);
  const bench = {
    fetch: (input: RequestInfo | URL, init?: RequestInit) =>
      globalThis.fetch(input, { ...init, signal: AbortSignal.timeout(TIME_LIMIT_MS) }),
    now: () => performance.now(),
    report: (step: StepResult) => setResults((before) => [...before, step]),
    clear: () => setResults([]),
  };
  return [results, bench];
}

/** If only listed programs are allowed, programs cannot register themselves. */
const enterByHand: Register = async (_, redirectUri) => {
  const body = { name: TEST_PROGRAM, redirectUris: [redirectUri], hasSecret: false };
  return (await bodyOf(api.POST('/admin/api/programs', { body }))).id;
};

const KEY = 'sign-in-test';

interface KeptTest {
  begun: Begun;
  results: readonly StepResult[];
}

/** Keeps a test in this tab during the sign-in. */
const keepTest = (test: KeptTest): void => sessionStorage.setItem(KEY, JSON.stringify(test));

/** Takes the kept test; null when there is none. */
function takeTest(): KeptTest | null {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return kept === null ? null : (JSON.parse(kept) as KeptTest);
}
