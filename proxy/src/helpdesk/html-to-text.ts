import { decodeHTMLStrict } from 'entities';
import { Tokenizer } from 'htmlparser2';

/** How much of a text is read; the rest is ignored. */
const maxHtmlSigns = 64 * 1024;

const blocks = new Set(
  (
    'address article aside blockquote br center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr ' +
    'li main nav ol p pre section table tbody tfoot thead tr ul'
  ).split(' '),
);
const cells = new Set(['td', 'th']);
/** Their content is not displayed. */
const hidden = new Set(['script', 'style']);
/** Stands at the beginning of a quoted line until the text is tidy; what is written is never this. */
const quoteMark = '\u{f8ff}';
const lineEnd = / ?\n[\s\uf8ff]*/g;
/** Schemes that do not lead to a site. */
const noSite = /^(?:about|blob|cid|data|javascript|mailto|sms|tel):/i;

/**
 * The text of a piece of HTML as a reader sees it, with link addresses after their text; only the first 65,536
 * characters of the HTML are read. Blocks are on lines of their own, and runs of whitespace become one blank. Accepts
 * anything, including plain text; quoted lines begin with `> `. What only looks like the beginning of markup is text, and so is an `&copy=` without a
 * semicolon. Takes linear time, however deeply elements are nested.
 */
export function htmlToText(html: string): string {
  const input = html.slice(0, maxHtmlSigns);
  const parts: string[] = [];
  let taken = 0;
  let tag = { name: '', href: '' };
  let attribute = { name: '', value: '' };
  let isHidden = false;
  let quotations = 0;
  let link: { href: string; from: number } | null = null;

  /** Text continues from what has been taken: a tag in between that never ended, or has no name, is text too. */
  function text(end: number) {
    const written = isHidden ? '' : decodeHTMLStrict(input.slice(taken, end)).replaceAll(quoteMark, '');
    parts.push(quotations > 0 ? written.replaceAll('\n', `\n${quoteMark}`) : written);
    taken = end;
  }

  function endLink() {
    if (link === null) return;
    const words = parts.slice(link.from).join('').trim();
    if (words !== link.href) parts.push(` ${link.href} `);
    link = null;
  }

  function passTag(name: string, end: number) {
    if (name === 'a') endLink();
    if (blocks.has(name)) parts.push(quotations > 0 ? `\n${quoteMark}` : '\n');
    if (cells.has(name)) parts.push(' ');
    taken = end + 1;
  }

  function openTag(end: number) {
    if (tag.name === 'blockquote') quotations += 1;
    passTag(tag.name, end);
    isHidden = hidden.has(tag.name);
    const href = decodeHTMLStrict(tag.href).trim();
    if (tag.name === 'a' && href !== '' && !noSite.test(href)) link = { href, from: parts.length };
  }

  function skip(start: number, end: number) {
    // HTML treats `</` without a name as a comment; people who type it mean text.
    if (input.startsWith('</', start - 2)) text(end + 1);
    taken = end + 1;
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ontext: (_, end) => text(end),
      onopentagname(start, end) {
        tag = { name: input.slice(start, end).toLowerCase(), href: '' };
      },
      onattribname(start, end) {
        attribute = { name: input.slice(start, end).toLowerCase(), value: '' };
      },
      onattribdata(start, end) {
        attribute.value += input.slice(start, end);
      },
      onattribend() {
        if (attribute.name === 'href' && tag.href === '') tag.href = attribute.value;
      },
      onopentagend: openTag,
      onselfclosingtag: openTag,
      onclosetag(start, nameEnd) {
        const end = input.indexOf('>', nameEnd);
        if (end < 0) return;
        isHidden = false;
        const name = input.slice(start, nameEnd).toLowerCase();
        if (name === 'blockquote') quotations = Math.max(0, quotations - 1);
        passTag(name, end);
      },
      oncomment: skip,
      oncdata: skip,
      ondeclaration: skip,
      onprocessinginstruction: skip,
      // Entities are decoded along with the surrounding text.
      onattribentity() {},
      ontextentity() {},
      onend() {},
    },
  );
  tokenizer.write(input);
  tokenizer.end();
  text(input.length);
  endLink();
  return tidy(parts.join(''));
}

function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\S\n]+|\p{Cc}/gu, (found) => (found === '\n' ? '\n' : ' '))
    .replace(/ +/g, ' ')
    .replace(lineEnd, (end) => (end.trimEnd().endsWith(quoteMark) ? '\n> ' : '\n'))
    .replace(/\n(?:> )?$/, '')
    .trim();
}
