import clsx from 'clsx';
import { useEffect, useState } from 'react';
import { useAnnounce } from '#ui/announcer.tsx';
import { IconButton, iconButton } from './button.tsx';

interface CopyButtonProps {
  text: string;
  label: string;
  done: string;
  failed: string;
  /** Right behind the last word of a `.copy-room`; `quiet`: seen only while the pointer or the focus is there. */
  beside?: 'always' | 'quiet';
}

/** Copies a text, and briefly shows whether that worked. */
export function CopyButton({ text, label, done, failed, beside }: CopyButtonProps) {
  const announce = useAnnounce();
  const [result, setResult] = useState<'done' | 'failed' | null>(null);
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), 1500);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    const outcome = await write(text);
    setResult(outcome);
    announce(outcome === 'done' ? done : failed);
  };
  const icon = result === 'done' ? 'check' : result === 'failed' ? 'alert' : 'copy';
  return (
    <IconButton
      icon={icon}
      label={label}
      onClick={copy}
      {...(beside && {
        className: clsx(iconButton, 'copy-beside size-6', beside === 'quiet' && 'copy-quiet'),
        'data-result': result ?? undefined,
      })}
    />
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
