import { type ComponentProps, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { armingMs, checkClick } from './check-click.ts';

interface DeliberateButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  onPress: () => void;
  /** The button was covered by something when it was clicked; the click was ignored. */
  onCovered: () => void;
}

/** A button for changes: it only reacts to a person's click, and only once they can have seen it. */
export function DeliberateButton({ onPress, onCovered, ...rest }: DeliberateButtonProps) {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), armingMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Button
      arming={!armed}
      onClick={(event) => {
        const result = checkClick(event.nativeEvent, event.currentTarget);
        if (result === 'genuine') onPress();
        if (result === 'covered') onCovered();
      }}
      {...rest}
    />
  );
}
