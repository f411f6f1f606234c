import { type ComponentProps, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { armingMs, judgeClick } from './judge-click.ts';

interface DeliberateButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  onPress: () => void;
  /** Clicked while something lay over it: nothing was done. */
  onCovered: () => void;
}

/** A button for what changes something: only a person's own click counts, and not before he can have seen the button. */
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
        const verdict = judgeClick(event.nativeEvent, event.currentTarget);
        if (verdict === 'own') onPress();
        if (verdict === 'covered') onCovered();
      }}
      {...rest}
    />
  );
}
