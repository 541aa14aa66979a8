/** The ratio of the sizes of the two inputs. */
export const TIMES = 8;
/** Limit for the measured growth, which is about 1 when the cost is linear and `TIMES` when it is quadratic. */
export const LINEAR = 3;

/** Kernels account thread time in ticks of 4 ms: work that lasts a few ticks can be measured as zero. */
const TICKS_MICROS = 10_000;

const TRIES = 3;
/** The maximum number of tries while the result exceeds the limit: other processes distort some of them. */
const MOST_TRIES = 15;

/**
 * Measures how the CPU cost per unit of input grows when the input is `TIMES` as large: the minimum of interleaved tries of
 * each size.
 * @param work gets the size, 1 or `TIMES`
 * @param enough stop measuring once the growth is below this
 */
export async function growthOf(
  work: (size: number) => unknown,
  { tries = TRIES, enough = LINEAR } = {},
): Promise<number> {
  let [few, many] = [Infinity, Infinity];
  const ratio = () => many / Math.max(few, TICKS_MICROS);
  for (let tried = 0; tried < tries || (ratio() >= enough && tried < MOST_TRIES); tried += 1) {
    // The larger one first: it pays for JIT compilation.
    many = Math.min(many, await cpuMicros(() => work(TIMES)));
    few = Math.min(few, await cpuMicros(() => repeated(() => work(1))));
  }
  return ratio();
}

async function repeated(work: () => unknown): Promise<void> {
  for (let n = 0; n < TIMES; n += 1) await work();
}

/** Returns the CPU time that work costs this thread, independent of the load on the machine. */
export async function cpuMicros(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(1, user + system);
}
