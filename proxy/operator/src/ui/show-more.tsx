import { Button } from '@deskside/extension/ui/button';
import { type ReactNode, useState } from 'react';

/** The first items of a list, and a button for the next. `atOnce`: as many as somebody looks through before they ask for more. */
export function ShowMore<T>({
  items,
  atOnce,
  label,
  children,
}: {
  items: readonly T[];
  atOnce: number;
  label: (count: number) => string;
  children: (shown: readonly T[]) => ReactNode;
}) {
  const [shown, setShown] = useState(atOnce);
  return (
    <>
      {children(items.slice(0, shown))}
      {items.length > shown && (
        <div>
          <Button onClick={() => setShown(shown + atOnce)}>{label(Math.min(atOnce, items.length - shown))}</Button>
        </div>
      )}
    </>
  );
}
