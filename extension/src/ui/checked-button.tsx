import { type ComponentProps, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { armingMs, checkClick } from './check-click.ts';
import { watchVisible } from './watch-visible.ts';

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
  useImperativeHandle(ref, () => button.current as HTMLButtonElement);
  useEffect(() => {
    const watch = button.current && watchVisible(button.current);
    watched.current = watch;
    const timer = setTimeout(() => setArmed(true), armingMs);
    return () => {
      watch?.stop();
      clearTimeout(timer);
    };
  }, []);
  return (
    <Button
      ref={button}
      arming={!armed}
      onClick={(event) => {
        const result = checkClick(event.nativeEvent, event.currentTarget, watched.current?.isVisible() ?? null);
        if (result === 'genuine') onPress();
        if (result === 'covered') onCovered();
      }}
      {...rest}
    />
  );
}
