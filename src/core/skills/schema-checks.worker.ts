import { parseBySchema, problemsBySchema, type JsonObject } from '#skill-kit';
import { problemsOfSchema } from '#json-schema';
import { doJobs } from '../../platform/threads/thread-jobs.js';

const JOBS = {
  parse: ({ schema, args }: { schema: JsonObject; args: JsonObject }) => parseBySchema(schema, args),
  problems: ({ schema, value }: { schema: JsonObject; value: unknown }) => problemsBySchema(schema, value),
  schemaProblems: ({ schema }: { schema: JsonObject }) =>
    problemsOfSchema(schema)
      .filter(({ severity }) => severity === 'error')
      .map(({ path, message }) => `${path || '/'} ${message}`),
};

export type SchemaJobs = typeof JOBS;

doJobs(JOBS);
