/** Longest text that is read; what follows is left out. */
const mostSigns = 64 * 1024;

const blocks = new Set(
  (
    'address article aside blockquote br center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr ' +
    'li main nav ol p pre section table tbody tfoot thead tr ul'
  ).split(' '),
);
const cells = new Set(['td', 'th']);
/** What stands inside of them is not shown. */
const hidden = new Set(['script', 'style']);
/** Addresses that lead to no site. */
const noSite = /^(?:about|blob|cid|data|javascript|mailto|sms|tel):/i;

const entities = new Map<string, string>(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ndash: '–',
    mdash: '—',
    hellip: '…',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    bull: '•',
    copy: '©',
    reg: '®',
    ETH: 'Ð',
    eth: 'ð',
  }),
);
const marks = new Map(
  Object.entries({ grave: '\u0300', acute: '\u0301', circ: '\u0302', tilde: '\u0303', uml: '\u0308' }),
);

/**
 * The text of a piece of HTML as a reader sees it, with the addresses of links after their words; at most the first
 * 65,536 signs of the HTML are read. Blocks stand on lines of their own, runs of blanks are one blank. Anything goes
 * in, plain text too: what only begins like markup is text. Takes time in proportion to the length.
 */
export function htmlToText(html: string): string {
  const input = html.slice(0, mostSigns);
  const parts: string[] = [];
  let link: { href: string; from: number } | null = null;

  function endLink() {
    if (link === null) return;
    const words = parts.slice(link.from).join('').trim();
    if (words !== link.href) parts.push(` ${link.href} `);
    link = null;
  }

  let at = 0;
  while (at < input.length) {
    const open = input.indexOf('<', at);
    const textEnd = open < 0 ? input.length : open;
    parts.push(decode(input.slice(at, textEnd)));
    at = textEnd;
    if (open < 0) break;
    if (input.startsWith('<!--', open)) {
      at = after(input, '-->', open + 4);
    } else if (input[open + 1] === '!' || input[open + 1] === '?') {
      at = after(input, '>', open);
    } else {
      const tag = readTag(input, open);
      if (tag === 'none') {
        parts.push('<');
        at = open + 1;
        continue;
      }
      if (tag === 'unfinished') {
        // Without this the search for its end would begin anew at every sign that follows.
        parts.push(decode(input.slice(open)));
        break;
      }
      at = hidden.has(tag.name) && !tag.closing ? endOfHidden(input, tag.name, tag.end) : tag.end;
      if (tag.name === 'a') {
        endLink();
        const href = decode(tag.href).trim();
        if (href !== '' && !noSite.test(href)) link = { href, from: parts.length };
      }
      if (blocks.has(tag.name)) parts.push('\n');
      if (cells.has(tag.name)) parts.push(' ');
    }
  }
  endLink();
  return tidy(parts.join(''));
}

function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\S\n]+|\p{Cc}/gu, (found) => (found === '\n' ? '\n' : ' '))
    .replace(/ +/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

/** Behind the next occurrence of the mark, or the end where there is none. */
function after(input: string, mark: string, from: number): number {
  const found = input.indexOf(mark, from);
  return found < 0 ? input.length : found + mark.length;
}

function endOfHidden(input: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi');
  end.lastIndex = from;
  return end.exec(input)?.index ?? input.length;
}

interface Tag {
  name: string;
  closing: boolean;
  /** As it stands in the HTML; '' where there is none. */
  href: string;
  end: number;
}

/** The tag that begins here, by the rules of HTML: a quotation mark means something only in front of a value. */
function readTag(input: string, open: number): Tag | 'none' | 'unfinished' {
  const closing = input[open + 1] === '/';
  let at = open + (closing ? 2 : 1);
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(input)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const name = take(/[a-z][^\s/>]*/iy).toLowerCase();
  if (name === '') return 'none';
  let href = '';
  for (;;) {
    take(/[\s/]+/y);
    if (at >= input.length) return 'unfinished';
    if (input[at] === '>') return { name, closing, href, end: at + 1 };
    const attribute = take(/=?[^\s/>=]*/y).toLowerCase();
    take(/\s+/y);
    if (input[at] !== '=') continue;
    at += 1;
    take(/\s+/y);
    const quote = input[at];
    let value: string;
    if (quote === '"' || quote === "'") {
      const close = input.indexOf(quote, at + 1);
      if (close < 0) return 'unfinished';
      value = input.slice(at + 1, close);
      at = close + 1;
    } else {
      value = take(/[^\s>]+/y);
    }
    if (attribute === 'href' && href === '' && !closing) href = value;
  }
}

/** Replaces entities, each once: `&amp;lt;` is `&lt;`. Unknown ones stay as they are. */
function decode(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (name.startsWith('#')) {
      const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return valid ? String.fromCodePoint(code) : '\ufffd';
    }
    const mark = marks.get(name.slice(1));
    return entities.get(name) ?? (mark === undefined ? whole : `${name[0]}${mark}`.normalize('NFC'));
  });
}
