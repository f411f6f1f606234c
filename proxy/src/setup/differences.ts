/** The desired values that a document lacks. An unset field counts as empty or 0; surrounding whitespace is ignored. */
export function differences<Desired extends Record<string, string | number>>(
  found: Record<string, unknown>,
  desired: Desired,
): Partial<Desired> {
  const plain = (value: unknown) => String(value ?? '').trim();
  const same = (value: unknown, other: string | number) =>
    typeof other === 'number' ? Number(value ?? 0) === other : plain(value) === plain(other);
  return Object.fromEntries(
    Object.entries(desired).filter(([field, value]) => !same(found[field], value)),
  ) as Partial<Desired>;
}
