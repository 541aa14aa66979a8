import { parseBySchema, problemsBySchema, type JsonObject } from '#skill-kit';
import { doJobs } from '../../platform/threads/thread-jobs.js';

const JOBS = {
  parse: ({ schema, args }: { schema: JsonObject; args: JsonObject }) => parseBySchema(schema, args),
  problems: ({ schema, value }: { schema: JsonObject; value: unknown }) => problemsBySchema(schema, value),
};

export type SchemaJobs = typeof JOBS;

doJobs(JOBS);
