import { type ComponentProps, useContext, useEffect, useRef, useState } from 'react';
import { useTexts } from '#panel/texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { PageContext } from './page.ts';

/** How long a button has to have been where it is, in full view, before a click counts. Milliseconds. */
const pauseMs = 300;
/** How often its place is looked at. Milliseconds. */
const lookEveryMs = 100;
/** The least time between two words of one observer that Chromium allows. Milliseconds. */
const leastDelayMs = 100;
/** After how long out of view the agent is told, in milliseconds. */
const tellAfterMs = 1_000;

interface DeliberateButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> {
  label: string;
  onPress: () => void;
}

/**
 * A button for changes (docs/security.md#a-click-that-is-covered). It takes only a person's own click, and of a pointer only
 * one that meets the panel, once that has been where it is and in full view for a moment. The keyboard reaches a button by
 * its focus, which no cover can lead elsewhere.
 */
export function DeliberateButton({ label, onPress, ...rest }: DeliberateButtonProps) {
  const { shell } = useTexts();
  const { openOwn } = useContext(PageContext);
  const [state, setState] = useState<ButtonState>('new');
  const [missed, setMissed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const settledMs = useRef((): number => 0);
  const madeAt = useRef(performance.now());
  useEffect(() => {
    if (!button.current) return;
    const watch = watchButton(button.current, setState);
    settledMs.current = watch.settledMs;
    return watch.stop;
  }, []);
  const isHidden = state === 'hidden';
  return (
    <>
      <Button
        ref={button}
        data-deliberate=""
        aria-disabled={state === 'new' || rest.unavailable || rest.busy || undefined}
        onClick={({ nativeEvent, currentTarget }) => {
          if (!nativeEvent.isTrusted) return;
          // Enter, the space bar and assistive technology count no clicks.
          const taken =
            nativeEvent.detail === 0
              ? performance.now() - madeAt.current >= pauseMs
              : meets(nativeEvent, currentTarget) && settledMs.current() >= pauseMs;
          setMissed(!taken && state !== 'new');
          if (taken) onPress();
          else currentTarget.scrollIntoView({ block: 'nearest' });
        }}
        {...rest}
      >
        {label}
      </Button>
      <p role="alert" className="w-full text-xs text-bad empty:hidden">
        {isHidden ? shell.hidden : missed && shell.covered}
      </p>
      {isHidden && openOwn && (
        <Button icon="external" onClick={openOwn}>
          {shell.openOwn}
        </Button>
      )}
    </>
  );
}

/** Whether nothing of the page that takes clicks lies over the button where it was clicked. */
function meets({ clientX, clientY }: MouseEvent, button: Element): boolean {
  const root = button.getRootNode();
  // To the page, everything inside a shadow root is its host.
  const host = root instanceof ShadowRoot ? root.host : button;
  return host.contains(document.elementFromPoint(clientX, clientY));
}

/** It has just appeared; it takes clicks; or it has not been in full view for a while. */
type ButtonState = 'new' | 'ready' | 'hidden';

/** Chromium's, which knows whether something lies over an element or changes its look, whatever takes the clicks there. */
type ViewEntry = IntersectionObserverEntry & { isVisible?: boolean };
const tellsView = () => 'isVisible' in (globalThis.IntersectionObserverEntry?.prototype ?? {});

/**
 * Watches whether a button stays where it is and, in Chromium, in full view: a page can move it under the pointer at the
 * last moment, or cover it with what takes no clicks. Scrolling inside of the panel is nothing that a page can do: it does
 * not count as moving, but a button that is scrolled out takes no click.
 * @returns how long nothing of that has happened, in milliseconds, and what ends the watching
 */
function watchButton(button: Element, onState: (state: ButtonState) => void) {
  const panel = button.closest('[role=dialog], [role=complementary]') ?? button;
  let place = { is: placeOf(panel), since: performance.now() };
  let view: { is: 'full' | 'hidden' | 'cut' | 'unknown'; since: number } = {
    is: tellsView() ? 'unknown' : 'full',
    since: place.since,
  };
  const settledMs = () => {
    take(observer?.takeRecords() ?? []);
    const is = placeOf(panel);
    if (is !== place.is) place = { is, since: performance.now() };
    return view.is === 'full' ? performance.now() - Math.max(place.since, view.since) : 0;
  };
  const look = () => {
    if (settledMs() >= pauseMs) onState('ready');
    else if ((view.is === 'hidden' || view.is === 'cut') && performance.now() - view.since >= tellAfterMs)
      onState(view.is === 'hidden' ? 'hidden' : 'ready');
  };
  const take = (entries: ViewEntry[]) => {
    for (const { intersectionRatio, isVisible = true } of entries) {
      const is = intersectionRatio < 0.99 ? 'cut' : isVisible ? 'full' : 'hidden';
      if (is !== view.is) view = { is, since: performance.now() };
    }
  };
  const observer = tellsView()
    ? new IntersectionObserver(
        (entries) => {
          take(entries);
          look();
        },
        { threshold: [0, 0.99], trackVisibility: true, delay: leastDelayMs } as IntersectionObserverInit,
      )
    : null;
  // What is newly observed is told of with the very next frame, without that delay: no cover is drawn and goes unnoticed.
  let frame = 0;
  const observe = () => {
    observer?.unobserve(button);
    observer?.observe(button);
    frame = requestAnimationFrame(observe);
  };
  if (observer !== null) observe();
  const timer = setInterval(look, lookEveryMs);
  return {
    settledMs,
    stop() {
      observer?.disconnect();
      cancelAnimationFrame(frame);
      clearInterval(timer);
    },
  };
}

function placeOf(element: Element): string {
  const { x, y } = element.getBoundingClientRect();
  return `${Math.round(x)} ${Math.round(y)}`;
}
