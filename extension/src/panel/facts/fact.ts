/** One of the four facts: a value in a word or two, and one more thing to be known of it. */
export interface Fact {
  label: string;
  /** What the label means, in full. */
  about?: string;
  value: string | null;
  /** The value in full. */
  whole?: string | null;
  detail?: string | null;
  tone?: 'warn' | 'bad' | undefined;
  /** What can be done about it; it says the detail. */
  href?: string | null;
  /** The place of a health band, from 0 for the lowest; null if it has none. */
  level?: number | null;
}
