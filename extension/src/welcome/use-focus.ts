import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Moves the focus to an element when it appears, and again when `again` changes. */
export function useFocus<E extends HTMLElement>(again: unknown = null): RefObject<E | null> {
  const element = useRef<E>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `again` is what the focus follows.
  useLayoutEffect(() => element.current?.focus(), [again]);
  return element;
}
