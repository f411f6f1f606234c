/** A value that a Bitrix24 command can hold. */
export type Param = string | number | readonly Param[] | { readonly [key: string]: Param };

/**
 * Writes parameters as a query string with PHP brackets, as required inside a batch (docs/crm.md#batch). Placeholders
 * of the form `$result[…]` must arrive unchanged, so their brackets are not encoded.
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
