import { type ComponentProps, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { watchPlace, watchVisible } from '#ui/watch-visible.ts';
import { Button } from './button.tsx';
import { armingMs, checkClick } from './check-click.ts';

interface CheckedButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  ref?: Ref<HTMLButtonElement>;
  onPress: () => void;
  /** The button was clicked while something covered it. */
  onCovered: () => void;
}

/** A button that reacts to a person's click only, once they can have seen it, and tells apart a click while covered. */
export function CheckedButton({ ref, onPress, onCovered, ...rest }: CheckedButtonProps) {
  const [armed, setArmed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const watched = useRef<ReturnType<typeof watchVisible>>(null);
  const placed = useRef<ReturnType<typeof watchPlace>>(null);
  useImperativeHandle(ref, () => button.current as HTMLButtonElement);
  useEffect(() => {
    const watch = button.current && watchVisible(button.current);
    watched.current = watch;
    const place =
      button.current &&
      watchPlace(button.current.closest('dialog, [role=dialog], [role=complementary]') ?? button.current);
    placed.current = place;
    const timer = setTimeout(() => setArmed(true), armingMs);
    return () => {
      watch?.stop();
      place?.stop();
      clearTimeout(timer);
    };
  }, []);
  return (
    <Button
      ref={button}
      arming={!armed}
      onClick={(event) => {
        const [visible, settledMs] = [watched.current?.isVisible() ?? null, placed.current?.settledMs() ?? 0];
        const result = checkClick(event.nativeEvent, event.currentTarget, visible, settledMs);
        if (result === 'genuine') onPress();
        if (result === 'covered') onCovered();
      }}
      {...rest}
    />
  );
}
