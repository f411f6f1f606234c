/** Something that an agent should know before anything else: one sentence, and what can be done about it. */
export interface Warning {
  key: string;
  tone: 'ok' | 'warn' | 'bad';
  sentence: string;
  /** Names in the sentence, which stand out. */
  names?: readonly string[];
  action?: { label: string; onPress: () => void } | null;
  requestId?: string | null | undefined;
}
