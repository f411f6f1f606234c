import { invisible } from './text.ts';

/** What is dialled after a number: `ext 12`, `#12`, `máy lẻ 12`. */
const extension =
  /(?<=\d[\s)]*)(?:,?\s*(?:ext(?:ension)?|máy\s?(?:lẻ|nhánh)|nhánh|lẻ|(?:số\s)?nội bộ)[\s.:]*|\s*[#x;]\s*)\(?\d{1,6}\)?(?!\d)/giu;
/** Mobile numbers had eleven digits until 2018; each prefix of four became one of three. */
const newPrefix = new Map(
  Object.entries({
    ...{ '0120': '070', '0121': '079', '0122': '077', '0126': '076', '0128': '078' },
    ...{ '0123': '083', '0124': '084', '0125': '085', '0127': '081', '0129': '082' },
    ...{
      '0162': '032',
      '0163': '033',
      '0164': '034',
      '0165': '035',
      '0166': '036',
      '0167': '037',
      '0168': '038',
      '0169': '039',
    },
    ...{ '0186': '056', '0188': '058', '0199': '059' },
  }),
);
/** No field of a number is longer; the rest is not read. */
const longest = 500;
const fewestDigits = 7;
/** A whole Vietnamese number: what begins like one behind it is another. */
const wholeNumber = 10;

/**
 * The telephone numbers in what people wrote, each once, so that different spellings compare equal: digits only, without
 * extension, with the Vietnamese national prefix 0 instead of 0084, +84 or +84 (0), and with today's prefix for a mobile
 * number from before 2018 (docs/crm.md#people). What is too short to identify anyone is none.
 */
export function phonesIn(text: string): string[] {
  const written = text.slice(0, longest).replace(invisible, '').normalize('NFKC').replace(extension, ' ');
  const found: string[] = [];
  for (const part of written.split(/[\n;,|&]|\p{L}+/u)) {
    let number = '';
    for (const word of part.split(/[\s/-]+/)) {
      if (/^\(?(?:\+|0|84)/.test(word) && nationalOf(number).length >= wholeNumber) {
        found.push(nationalOf(number));
        number = '';
      }
      number += word;
    }
    found.push(nationalOf(number));
  }
  return [...new Set(found.filter((number) => number.length >= fewestDigits))];
}

/** The first of `phonesIn`; null if there is none. */
export function normalizePhone(value: string): string | null {
  return phonesIn(value)[0] ?? null;
}

/** How a mobile number of today was written until 2018; null if it is none. */
export function formerPhone(national: string): string | null {
  const [former] =
    [...newPrefix].find(([, prefix]) => national.length === wholeNumber && national.startsWith(prefix)) ?? [];
  return former === undefined ? null : former + national.slice(3);
}

function nationalOf(text: string): string {
  const digits = text.replace(/\D/g, '');
  const [, rest] = /^(?:0084|84(?=\d{9}))0*(\d*)$/.exec(digits) ?? [];
  const national = rest === undefined ? digits : `0${rest}`;
  const prefix = national.length === wholeNumber + 1 ? newPrefix.get(national.slice(0, 4)) : undefined;
  return prefix === undefined ? national : prefix + national.slice(4);
}
