/** Another constant tries other cases; what is random in a commit is the same each time. */
const SEED = 271_828;

/** Returns what random choices of a test begin with: always the same, or what a variable of the environment says. */
export const seedFrom = (variable: string): number => Number(process.env[variable] ?? SEED);
