/** A rule's JSON so that a person can read it; anything else as it is. */
export function shownValue(value: string): string {
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
