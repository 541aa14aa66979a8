import { messageOf } from '../components/ErrorNotice';
import { showDone, showError } from '../components/notices';
import { ApiError } from './api-error';
import { api, type Schemas, useChange, useRead } from './client';
import { useMay } from './session';

const KEY = ['questions'];
const REFRESH_MS = 5_000;

/** Loads the open questions of runs, oldest first; none for users who may not read them. */
export const useQuestions = () =>
  useRead(KEY, () => api.GET('/admin/api/runs/questions'), {
    refetchInterval: REFRESH_MS,
    enabled: useMay('viewer'),
  });

/** Answers a question of a run. Notices show the outcome, because the question may no longer be on the page by then. */
export const useAnswer = (id: string) =>
  useChange(
    [KEY, ['runs']],
    (body: Schemas['AnswerBody']) => api.POST('/admin/api/runs/{id}/answers', { params: { path: { id } }, body }),
    {
      onSuccess: (_none, { action }) =>
        showDone(action === 'accept' ? 'The run continues.' : 'You declined. The run continues.'),
      onError: (error) => showError(`Your answer was not accepted: ${reasonOf(error)}`),
    },
  );

const TOO_LATE = 'somebody else has answered, or the run has ended. The page of the run shows the outcome.';

const reasonOf = (error: unknown): string =>
  error instanceof ApiError && error.code === 'runs.question_not_open' ? TOO_LATE : messageOf(error);
