/** Returns what the work returns. @throws Error when it takes longer than `limitMs`; its outcome is ignored then */
export async function inTime<Result>(work: Promise<Result>, limitMs: number, what: string): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
