/** Another seed generates other cases; a fixed one makes each run of a commit repeatable. */
const SEED = 271_828;

/** Returns the seed of a random test: a constant, unless an environment variable overrides it. */
export const seedFrom = (variable: string): number => Number(process.env[variable] ?? SEED);
