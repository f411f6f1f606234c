import type { Random } from '#seed/random.ts';

/** A company's name as somebody at a desk would write it. */
export function otherWords(brand: string, random: Random): string {
  return random.pick([
    (name: string) => name,
    (name: string) => name,
    (name: string) => name.toUpperCase(),
    (name: string) => name.toLowerCase(),
    (name: string) => `Công ty TNHH ${name}`,
    (name: string) => `CTY ${name}`,
    (name: string) => `Shop ${name}`,
    (name: string) => `${name} (KH cũ)`,
    (name: string) => `${name.split(' ').join('  ')} `.trim(),
  ])(brand);
}

/** A name with a letter left out, doubled or exchanged with its neighbour, not at its ends. */
export function oneBadLetter(name: string, random: Random): string {
  const letters = [...name];
  const at = 1 + random.int(letters.length - 3);
  const [here = '', next = ''] = letters.slice(at, at + 2);
  letters.splice(at, 2, ...random.pick([[here], [here, here, next], [next, here]]));
  return letters.join('');
}
