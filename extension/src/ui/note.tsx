import clsx from 'clsx';
import type { ReactNode } from 'react';
import { type Tone, toneClass, toneText } from './tone.ts';

/** A highlighted box. */
export function Note({ tone, title, children }: { tone: Tone; title: string; children?: ReactNode }) {
  return (
    <div className={clsx('rounded-lg px-3 py-2.5 wrap-anywhere', toneClass[tone])}>
      <p className={clsx('font-semibold', toneText[tone])}>{title}</p>
      {children}
    </div>
  );
}
