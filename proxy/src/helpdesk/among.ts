/** Of the 4,094 bytes that a site's server accepts as a request line; the rest is for fields and other filters. */
const maxBytes = 2_400;

/** The values in parts that each fit into one request's line. */
function fitting(values: readonly string[]): string[][] {
  const parts: string[][] = [];
  let left = 0;
  for (const value of values) {
    const bytes = encodeURIComponent(`"${value}",`).length;
    left -= bytes;
    if (left < 0) {
      parts.push([]);
      left = maxBytes - bytes;
    }
    parts.at(-1)?.push(value);
  }
  return parts;
}

/** Reads what has one of the values, in as few requests as the site's server takes. */
export async function among<T>(values: readonly string[], read: (some: string[]) => Promise<T[]>): Promise<T[]> {
  return (await Promise.all(fitting(values).map(read))).flat();
}
