/** How many times as large the larger input is. */
export const TIMES = 8;
/** Of the growth that is shown: about 1 where the cost is linear, and `TIMES` where it is quadratic. */
export const LINEAR = 3;

/** Kernels count the time of a thread from tick to tick, 4 ms apart: what takes a few of them can look like nothing. */
const TICKS_MICROS = 10_000;

const TRIES = 3;
/** So many where it looks worse than asked for: what runs beside adds to some of the tries. */
const MOST_TRIES = 15;

/**
 * How many times as much each part of an input costs this thread when there are `TIMES` as many of them: the least of
 * interleaved tries of each.
 * @param work is given the size, 1 or `TIMES`
 * @param enough growth below this is as good as none
 */
export async function growthOf(
  work: (size: number) => unknown,
  { tries = TRIES, enough = LINEAR } = {},
): Promise<number> {
  let [few, many] = [Infinity, Infinity];
  const ratio = () => many / Math.max(few, TICKS_MICROS);
  for (let tried = 0; tried < tries || (ratio() >= enough && tried < MOST_TRIES); tried += 1) {
    // The larger one first: it pays for what is compiled.
    many = Math.min(many, await cpuMicros(() => work(TIMES)));
    few = Math.min(few, await cpuMicros(() => repeated(() => work(1))));
  }
  return ratio();
}

async function repeated(work: () => unknown): Promise<void> {
  for (let n = 0; n < TIMES; n += 1) await work();
}

/** What work costs this thread, whatever the others of the machine do meanwhile. */
export async function cpuMicros(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(1, user + system);
}
