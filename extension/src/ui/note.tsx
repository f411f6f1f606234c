import clsx from 'clsx';
import type { ReactNode } from 'react';

export function Note({ tone, title, children }: { tone: Tone; title: string; children?: ReactNode }) {
  return (
    <div className={clsx('rounded-lg px-3 py-2.5 wrap-anywhere', toneClass[tone])}>
      <p className={clsx('font-semibold', toneText[tone])}>{title}</p>
      {children}
    </div>
  );
}

/** The meaning of a coloured surface. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'neutral';

/** The background of each tone. Text on it has a contrast of at least 4.5:1 in both themes. */
export const toneClass: Record<Tone, string> = {
  ok: 'bg-ok-soft',
  warn: 'bg-warn-soft',
  bad: 'bg-bad-soft',
  info: 'bg-info-soft',
  neutral: 'bg-sunken',
};

export const toneText: Record<Tone, string> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  info: 'text-info',
  neutral: 'text-ink',
};
