import { useEffect, useState } from 'react';

/** The present moment in epoch milliseconds, renewed every 30 seconds while `active`, and at once when it becomes so. */
export function useNow(active: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}
