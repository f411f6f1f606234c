import { useSyncExternalStore } from 'react';

/** The window's width in CSS pixels. */
export function useWindowWidth(): number {
  return useSyncExternalStore(subscribe, () => innerWidth);
}

function subscribe(changed: () => void): () => void {
  addEventListener('resize', changed);
  return () => removeEventListener('resize', changed);
}
