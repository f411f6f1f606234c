/** What a log line may say about an unforeseen error: where it happened. Its message may quote data. */
export function unexpected(error: unknown): { error: string; stack: string[] } {
  const { name, stack = '' } = error instanceof Error ? error : new Error('not an Error');
  const places = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return { error: name, stack: places.slice(0, 7) };
}
