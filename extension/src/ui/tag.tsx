import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { type Tone, toneClass } from './tone.ts';

/** How a short label looks, apart from its colours. */
export const tagLook =
  'inline-flex max-w-full items-center gap-1 rounded-md border border-transparent px-1.5 py-px text-xs font-medium wrap-anywhere';

/** A short label. Its transparent border becomes visible in forced-colors mode. */
export function Tag({ tone = 'neutral', icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={clsx(tagLook, toneClass[tone])}>
      {icon && <Icon name={icon} size={12} />}
      {children}
    </span>
  );
}
