import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Json } from '../../../mcp/json-rpc';
import { useRefreshSkills } from '../use-skills';
import { callSkill } from './call-skill';
import { afterMessage, started, type TrialState } from './trial-state';

/** Calls a skill, one call at a time. Leaving the page cancels the call. */
export function useTrial(name: string) {
  const [state, setState] = useState<TrialState | null>(null); // null = not run yet
  const controller = useRef(new AbortController());
  const refresh = useRefreshSkills();
  useEffect(() => () => controller.current.abort(), []);

  const { mutate, error } = useMutation({
    mutationFn: async (args: Json) => {
      const { signal } = (controller.current = new AbortController());
      let current = started(name, args);
      setState(current);
      try {
        for await (const message of callSkill(name, args, signal)) setState((current = afterMessage(current, message)));
        if (current.status === 'running') throw new Error('The connection ended before the result arrived.');
      } catch (failure) {
        setState({ ...current, status: 'cancelled' });
        if (!signal.aborted) throw failure;
      }
    },
    onSettled: refresh,
  });

  return { state, error, run: mutate, cancel: () => controller.current.abort() };
}
