import { useEffect, useState } from 'react';

/** Seconds left of a wait, counted down; starts again whenever `cause` changes. */
export function useCountdown(seconds: number | null, cause: unknown): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    setLeft(seconds ?? 0);
    if (seconds === null) return;
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1000);
    return () => clearInterval(timer);
  }, [seconds, cause]);
  return left;
}
