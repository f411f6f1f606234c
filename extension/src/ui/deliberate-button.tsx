import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';

/** How long a button takes no clicks after it has appeared or been moved, possibly just under the pointer. Milliseconds. */
const pauseMs = 300;
/** How often the place is looked at, in milliseconds. */
const lookEveryMs = 100;

interface DeliberateButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> {
  label: string;
  onPress: () => void;
  /** Said after a click that was not taken. */
  covered: string;
}

/**
 * A button for changes (ARCHITECTURE.md#the-extension). It takes only a person's own click, and of a pointer only one that meets
 * the panel, once that has been where it is for a moment. The keyboard reaches a button by its focus, which no cover can
 * lead elsewhere.
 */
export function DeliberateButton({ label, onPress, covered, ...rest }: DeliberateButtonProps) {
  const [armed, setArmed] = useState(false);
  const [missed, setMissed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const place = useRef<() => number>(() => 0);
  useEffect(() => {
    const watched = button.current?.closest('[role=dialog], [role=complementary]') ?? button.current;
    const watch = watched && watchPlace(watched);
    if (watch) place.current = watch.settledMs;
    const timer = setTimeout(() => setArmed(true), pauseMs);
    return () => {
      watch?.stop();
      clearTimeout(timer);
    };
  }, []);
  return (
    <>
      <Button
        ref={button}
        arming={!armed}
        onClick={({ nativeEvent, currentTarget }) => {
          if (!nativeEvent.isTrusted) return;
          // Enter, the space bar and assistive technology count no clicks.
          const taken = nativeEvent.detail === 0 || (meets(nativeEvent, currentTarget) && place.current() >= pauseMs);
          setMissed(!taken);
          if (taken) onPress();
        }}
        {...rest}
      >
        {label}
      </Button>
      <p role="alert" className="w-full text-xs text-bad empty:hidden">
        {missed && covered}
      </p>
    </>
  );
}

/** Whether nothing of the page lies over the button where it was clicked. */
function meets({ clientX, clientY }: MouseEvent, button: Element): boolean {
  const root = button.getRootNode();
  // To the page, everything inside a shadow root is its host.
  const host = root instanceof ShadowRoot ? root.host : button;
  return host.contains(document.elementFromPoint(clientX, clientY));
}

/**
 * Watches whether an element stays where it is: a page can move it under the pointer at the last moment. Scrolling inside of
 * it is nothing that a page can do, and does not count.
 * @returns how long it has been in its place, in milliseconds, and what ends the watching
 */
function watchPlace(element: Element): { settledMs(): number; stop(): void } {
  let place = placeOf(element);
  let since = Number.NEGATIVE_INFINITY;
  const look = () => {
    const next = placeOf(element);
    if (next === place) return;
    place = next;
    since = performance.now();
  };
  const timer = setInterval(look, lookEveryMs);
  return {
    settledMs() {
      look();
      return performance.now() - since;
    },
    stop: () => clearInterval(timer),
  };
}

function placeOf(element: Element): string {
  const { x, y } = element.getBoundingClientRect();
  return `${Math.round(x)} ${Math.round(y)}`;
}
