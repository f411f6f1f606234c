/** Signs that nobody sees: of no width, soft hyphens, marks of direction, variation selectors. Unicode says which. */
export const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

/** No script puts more than four on a letter, and composing takes quadratic time in their number. */
export const moreMarks = /(\p{M}{4})\p{M}+/gu;

const quote = /[´`ʹʼ‘’‚‛′＇]/gu;
const doubleQuote = /(?!')\p{Quotation_Mark}/gu;

/**
 * A text in the one spelling of what looks alike: composed and of ordinary width (NFKC), without invisible signs, with
 * plain dashes, quotation marks and single blanks. To compare and to read, not to show.
 */
export function evenText(text: string): string {
  return (
    text
      .replace(invisible, '')
      .replace(moreMarks, '$1')
      .replace(quote, "'")
      .replace(doubleQuote, '"')
      .normalize('NFKC')
      // What was wide, or two signs in one, has become a quotation mark now.
      .replace(quote, "'")
      .replace(/\p{Dash}/gu, '-')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
  );
}

/** A text as people compare names: even, in lower case, without accents, with a `d` for Đ and its look-alikes Ð and Ɖ. */
export function foldText(text: string): string {
  return (
    evenText(text)
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      // An accent of its own stood on a blank.
      .replace(/ +/g, ' ')
      .trim()
      .replace(/[đðɖ]/g, 'd')
      .normalize('NFC')
  );
}
