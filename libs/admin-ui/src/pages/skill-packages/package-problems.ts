import { ApiError } from '../../api/api-error';

/** Returns what is wrong with each file of a package that was refused; empty when the error says nothing of files. */
export const problemsIn = (error: unknown) =>
  error instanceof ApiError && error.code === 'packages.invalid'
    ? error.fields.map(({ path: file, line, message }) => ({ file, line, message }))
    : [];
