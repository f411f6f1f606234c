/** Every text of a catalogue by its path; functions are called with plausible arguments. */
export function flattenTexts(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const made = value(2, 2, 2, 2);
    return flattenTexts(made, path);
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => flattenTexts(inner, `${path}.${key}`));
}
