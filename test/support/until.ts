/** How long tests wait: less than Jest does, so that the test that fails says what it waited for. */
const PATIENCE_MS = 150_000;

/** Waits for a condition. @throws Error that shows the condition when it does not come true in time */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = PATIENCE_MS): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`this did not come true within ${withinMs} ms: ${String(condition)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
