/** A place where an answer has another shape than the recorded one. */
export type Difference = string;

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/**
 * Compares two answers by keys and kinds of values, recursively; the values themselves may differ. Lists must both be
 * empty or both not, and each element must have the shape of some recorded one. `_server_messages` is unpacked.
 */
export function shapeDifferences(recorded: unknown, live: unknown, path = '$'): Difference[] {
  const [wanted, found] = [kindOf(recorded), kindOf(live)];
  if (wanted !== found)
    return [`${path}: ${wanted} recorded, ${found} answered (${JSON.stringify(live)?.slice(0, 80)})`];
  if (Array.isArray(recorded) && Array.isArray(live)) return listDifferences(recorded, live, path);
  if (typeof recorded !== 'object' || recorded === null) return [];
  return objectDifferences(recorded as Record<string, unknown>, live as Record<string, unknown>, path);
}

function listDifferences(recorded: unknown[], live: unknown[], path: string): Difference[] {
  if ((recorded.length === 0) !== (live.length === 0)) {
    return [`${path}: ${recorded.length} elements recorded, ${live.length} answered`];
  }
  return live.flatMap((element, index) => {
    const attempts = recorded.map((candidate) => shapeDifferences(candidate, element, `${path}[${index}]`));
    return attempts.sort((left, right) => left.length - right.length)[0] ?? [];
  });
}

function objectDifferences(
  recorded: Record<string, unknown>,
  live: Record<string, unknown>,
  path: string,
): Difference[] {
  const missing = Object.keys(recorded).filter((key) => !(key in live));
  const surplus = Object.keys(live).filter((key) => !(key in recorded));
  const inner = Object.keys(recorded)
    .filter((key) => key in live)
    .flatMap((key) => shapeDifferences(unpack(key, recorded[key]), unpack(key, live[key]), `${path}.${key}`));
  return [
    ...missing.map((key) => `${path}.${key}: recorded, not answered`),
    ...surplus.map((key) => `${path}.${key}: answered, not recorded`),
    ...inner,
  ];
}

function unpack(key: string, value: unknown): unknown {
  if (key !== '_server_messages' || typeof value !== 'string') return value;
  return (JSON.parse(value) as string[]).map((message) => JSON.parse(message) as unknown);
}
