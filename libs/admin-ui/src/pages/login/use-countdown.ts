import { useEffect, useState } from 'react';

/** Counts down the seconds of a wait; returns the rest and a function that starts it. */
export function useCountdown(): [left: number, start: (seconds: number) => void] {
  const [left, setLeft] = useState(0);
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setLeft((before) => before - 1), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return [left, setLeft];
}
