import { type PointerEvent, type ReactNode, useEffect, useRef } from 'react';

/** What scrolls, with a thin bar that lies over it and takes no room of its own. It scrolls in the ways it would without. */
export function Scroller({ children }: { children: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null);
  const thumb = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [area, bar] = [scroller.current, thumb.current];
    if (!area || !bar) return;
    const place = () => {
      const { clientHeight, scrollHeight, scrollTop, offsetTop } = area;
      const share = clientHeight / scrollHeight;
      bar.hidden = share >= 1;
      bar.style.height = `${share * clientHeight}px`;
      bar.style.top = `${offsetTop + share * scrollTop}px`;
    };
    const sizes = new ResizeObserver(place);
    for (const one of [area, ...area.children]) sizes.observe(one);
    const parts = new MutationObserver(place);
    parts.observe(area, { childList: true, subtree: true });
    area.addEventListener('scroll', place, { passive: true });
    place();
    return () => {
      sizes.disconnect();
      parts.disconnect();
      area.removeEventListener('scroll', place);
    };
  }, []);
  const drag = ({ buttons, movementY, currentTarget, pointerId, type }: PointerEvent) => {
    const area = scroller.current;
    if (type === 'pointerdown') currentTarget.setPointerCapture(pointerId);
    else if (area && buttons === 1) area.scrollTop += (movementY * area.scrollHeight) / area.clientHeight;
  };
  return (
    <>
      <div ref={scroller} className="scroller" tabIndex={-1}>
        {children}
      </div>
      <div ref={thumb} aria-hidden="true" className="thumb" onPointerDown={drag} onPointerMove={drag} />
    </>
  );
}
