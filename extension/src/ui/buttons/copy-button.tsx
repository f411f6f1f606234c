import clsx from 'clsx';
import { useEffect, useState } from 'react';
import { useAnnounce } from '#ui/announcer.tsx';
import { IconButton, iconButton } from './button.tsx';

interface CopyButtonProps {
  text: string;
  /** Puts the text where the agent is writing, instead of copying it; false: it could not. */
  insert?: ((text: string) => boolean) | null;
  label: string;
  done: string;
  failed: string;
}

/**
 * Copies a text or inserts it, and briefly shows whether that worked. Stands right behind the last word of a `.copy-room`, and
 * is seen only while the pointer or the focus is there.
 */
export function CopyButton({ text, insert = null, label, done, failed }: CopyButtonProps) {
  const announce = useAnnounce();
  const [result, setResult] = useState<'done' | 'failed' | null>(null);
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), result === 'failed' ? 6000 : 1500);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    const outcome = insert?.(text) ? 'done' : await write(text);
    setResult(outcome);
    announce(outcome === 'done' ? done : failed);
  };
  const icon = result === 'done' ? 'check' : result === 'failed' ? 'alert' : insert ? 'insert' : 'copy';
  return (
    <>
      <IconButton
        icon={icon}
        label={label}
        onClick={copy}
        // The focus stays where the agent is writing.
        onMouseDown={insert ? (event) => event.preventDefault() : undefined}
        className={clsx(iconButton, 'copy-beside copy-quiet size-6')}
        data-result={result ?? undefined}
      />
      {result === 'failed' && <span className="block text-xs text-bad">{failed}</span>}
    </>
  );
}

/** A page without https has no clipboard. */
async function write(text: string): Promise<'done' | 'failed'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'done';
  } catch {
    return 'failed';
  }
}
