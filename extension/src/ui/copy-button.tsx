import { useEffect, useState } from 'react';
import { useAnnounce } from './announcer.tsx';
import { IconButton } from './button.tsx';

interface CopyButtonProps {
  text: string;
  label: string;
  done: string;
  failed: string;
}

/** Copies a text, and briefly shows whether that worked. */
export function CopyButton({ text, label, done, failed }: CopyButtonProps) {
  const announce = useAnnounce();
  const [result, setResult] = useState<'done' | 'failed' | null>(null);
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), 1500);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    const outcome = await navigator.clipboard.writeText(text).then(
      () => 'done' as const,
      () => 'failed' as const,
    );
    setResult(outcome);
    announce(outcome === 'done' ? done : failed);
  };
  const icon = result === 'done' ? 'check' : result === 'failed' ? 'alert' : 'copy';
  return <IconButton icon={icon} label={label} onClick={copy} />;
}
