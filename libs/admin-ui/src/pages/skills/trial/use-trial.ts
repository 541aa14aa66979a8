import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Json, Message } from '../../../mcp/json-rpc';
import { useRefreshSkills } from '../use-skills';
import { afterMessage, started, type TrialState } from './trial-state';
import { toApiError, toUnreachable } from '../../../api/api-error';
import { readMessages } from '../../../mcp/read-messages';

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

/** Calls a skill and yields its messages as they arrive. Aborting the signal cancels the call. */
async function* callSkill(name: string, args: Json, signal: AbortSignal): AsyncGenerator<Message> {
  try {
    const response = await fetch(`/admin/api/skills/${encodeURIComponent(name)}/try`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ arguments: args }),
      signal,
    });
    if (!response.ok) throw await toApiError(response);
    yield* readMessages(response);
  } catch (error) {
    throw toUnreachable(error);
  }
}
