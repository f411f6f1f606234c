import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

interface ResizeHandleProps {
  label: string;
  /** Id of what it makes wider. */
  controls: string;
  /** Width of what stands right of the handle, and its limits, in CSS pixels. */
  width: number;
  min: number;
  max: number;
  /** `done`: the agent has let go, or used a key. */
  onResize: (width: number, done: boolean) => void;
}

const step = 16;
const bigStep = 80;

/** The left edge of a column at the window's right side, to be dragged or moved with the arrow keys (ARIA's separator). */
export function ResizeHandle({ label, controls, width, min, max, onResize }: ResizeHandleProps) {
  const dragged = useRef<number | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const within = (wanted: number) => Math.round(Math.min(Math.max(wanted, min), max));

  const drag = (to: number | null) => {
    dragged.current = to;
    setShown(to);
  };
  const start = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag(width);
  };
  const move = ({ clientX }: PointerEvent) => {
    if (dragged.current === null) return;
    const next = within(innerWidth - clientX);
    drag(next);
    onResize(next, false);
  };
  const stop = () => {
    const last = dragged.current;
    drag(null);
    if (last !== null) onResize(last, true);
  };
  const press = (event: KeyboardEvent) => {
    const wanted = {
      ArrowLeft: width + step,
      ArrowRight: width - step,
      PageUp: width + bigStep,
      PageDown: width - bigStep,
      Home: min,
      End: max,
    }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    onResize(within(wanted), true);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be moved.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={shown ?? width}
      aria-valuemin={min}
      aria-valuemax={max}
      className="resize-handle"
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={stop}
      onLostPointerCapture={stop}
      onKeyDown={press}
    />
  );
}
