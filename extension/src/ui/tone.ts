/** The meaning of a coloured surface. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'neutral';

/** Text and background of each tone: contrast of at least 4.5:1 in both themes. */
export const toneClass: Record<Tone, string> = {
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  neutral: 'bg-sunken text-ink-2',
};
