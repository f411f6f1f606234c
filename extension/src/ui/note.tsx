import clsx from 'clsx';
import type { ReactNode } from 'react';
import { type Tone, toneClass } from './tone.ts';

/** A highlighted box. */
export function Note({ tone, title, children }: { tone: Tone; title: string; children?: ReactNode }) {
  return (
    <div className={clsx('rounded-lg border border-transparent px-3 py-2.5 text-sm wrap-anywhere', toneClass[tone])}>
      <p className="font-semibold">{title}</p>
      {children}
    </div>
  );
}
