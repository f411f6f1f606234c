import { useEffect, useState } from 'react';
import { useAnnounce } from './announcer.tsx';
import { IconButton } from './button.tsx';

interface CopyButtonProps {
  text: string;
  /** Puts the text where the agent is writing, instead of copying it; false: it could not. */
  insert?: ((text: string) => boolean) | null;
  label: string;
  done: string;
  failed: string;
}

/** Copies a text or inserts it, and briefly shows whether that worked. Where `.hosts-copy` is, it is seen only with it. */
export function CopyButton({ text, insert = null, label, done, failed }: CopyButtonProps) {
  const announce = useAnnounce();
  const [result, setResult] = useState<'done' | 'failed' | null>(null);
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), result === 'failed' ? 6000 : 1500);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    const outcome = insert?.(text) || (await writeText(text)) ? 'done' : 'failed';
    setResult(outcome);
    announce(outcome === 'done' ? done : failed);
  };
  const icon = result === 'done' ? 'check' : result === 'failed' ? 'alert' : insert ? 'insert' : 'copy';
  return (
    <IconButton
      icon={icon}
      label={result === 'failed' ? failed : label}
      onClick={copy}
      // The focus stays where the agent is writing.
      onMouseDown={insert ? (event) => event.preventDefault() : undefined}
      className="copy"
      data-result={result ?? undefined}
    />
  );
}

/** Whether a text is in the clipboard now: a page without https has none. */
export async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
