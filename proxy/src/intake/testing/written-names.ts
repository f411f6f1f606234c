import { foldText } from '@deskside/shared/text';

/** Vowels with every accent that Vietnamese puts on them, in an order in which neighbours differ. */
export const vowels = [...'aàáảãạăằắẳẵặâầấẩẫậeèéẻẽẹêềếểễệiìíỉĩịoòóỏõọôồốổỗộơờớởỡợuùúủũụưừứửữựyỳýỷỹỵ'];
const onsets = 'b c ch d đ g gh gi h k kh l m n ng nh ph qu r s t th tr v x'.split(' ');
const codas = ['', '', 'n', 'ng', 'm', 'c', 't', 'p', 'nh', 'ch'];
/** How far each part goes on from name to name: by steps that lead past all of its letters. */
const parts = [
  { all: onsets, step: 7 },
  { all: vowels, step: 11 },
  { all: codas, step: 9 },
];

/** How people, importers and pasted pages write down a name. */
const habits: ((name: string) => string)[] = [
  (name) => name,
  (name) => name.normalize('NFD'),
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase().normalize('NFD'),
  (name) => name.replace(/(?<=\p{L})(?=\p{L})/u, '\u200b'),
  (name) => name.replace(/(?<=\p{L}{2})(?=\p{L})/u, '\u00ad'),
  (name) => name.replaceAll(' ', '\u00a0'),
  (name) => name.replaceAll(' ', '  '),
  (name) => name.replace(' - ', ' – ').replaceAll("'", '’'),
  (name) => `“${name}”`,
  (name) => name.replace(/[a-z]/gi, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  (name) => name.replaceAll('đ', 'ð').replaceAll('Đ', 'Ð'),
  (name) => name.replaceAll('Đ', 'Ɖ'),
  (name) => `\ufeff${name}`,
];

/** How one name is asked for: as it is read, without accents, with accents as signs of their own, in capitals. */
export function spellingsOf(name: string): string[] {
  return [name, foldText(name), name.normalize('NFD').toLowerCase(), name.normalize('NFC').toUpperCase()];
}

/** Different names of Vietnamese syllables, with all letters, and how they are stored: each habit in turn. */
export function writtenNames(count: number): { name: string; stored: string }[] {
  const written = new Map<string, { name: string; stored: string }>();
  for (let n = 0; written.size < count; n += 1) {
    const words = Array.from({ length: 2 + (n % 3) }, (_, at) => {
      const [onset, vowel, coda] = parts.map(({ all, step }) => all[(n * step + at * 31) % all.length]);
      const word = `${onset}${vowel}${coda}`;
      return word.charAt(0).toUpperCase() + word.slice(1);
    });
    const name = words.join(n % 14 === 8 ? ' - ' : n % 14 === 9 ? "'" : ' ');
    const stored = habits[written.size % habits.length]?.(name) ?? name;
    if (!written.has(foldText(name))) written.set(foldText(name), { name, stored });
  }
  return [...written.values()];
}
