/** A value that a Bitrix24 command can carry. */
export type Param = string | number | readonly Param[] | { readonly [key: string]: Param };

/**
 * Writes parameters as a query string with PHP brackets, as commands inside a batch take them (facts/bitrix24.md 4).
 * Placeholders of the form `$result[…]` have to arrive as they are written, so their brackets stay.
 */
export function phpQuery(params: Record<string, Param>): string {
  return Object.entries(params)
    .flatMap(([key, value]) => pairs(encodeURIComponent(key), value))
    .join('&');
}

function pairs(key: string, value: Param): string[] {
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([inner, v]) => pairs(`${key}[${encodeURIComponent(inner)}]`, v));
  }
  const text = String(value);
  return [`${key}=${text.startsWith('$result[') ? text : encodeURIComponent(text)}`];
}
