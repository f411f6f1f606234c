/** What a coloured surface says. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'neutral';

/** Text and ground of each tone: at least 4.5 to 1 in both themes. */
export const toneClass: Record<Tone, string> = {
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  neutral: 'bg-sunken text-ink-2',
};
