import { ApiError } from '../../api/api-error';

/** Returns the problems of the files of a refused package; empty when the error is not about files. */
export const problemsIn = (error: unknown) =>
  error instanceof ApiError && error.code === 'packages.invalid'
    ? error.fields.map(({ path: file, line, message }) => ({ file, line, message }))
    : [];
