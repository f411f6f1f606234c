const term = String.raw`(?:doc\.\w+|'[^']*'|"[^"]*")`;
const terms = new RegExp(term, 'g');
const alternatives = String.raw`(${term}(?:\s+or\s+${term})*)`;
const filters = String.raw`((?:\s*\|\s*(?:tojson|string)\b)*)`;
/** A filter binds more tightly than `or`: what it is for is one term, or stands in parentheses. */
const notations = [`(${term})${filters}`, alternatives, String.raw`\(\s*${alternatives}\s*\)${filters}`].map(
  (expression) => new RegExp(String.raw`^\s*${expression}\s*$`),
);

/**
 * Renders a small part of Jinja, what the JSON templates of webhooks use: `{{ doc.field }}`, `or`, texts in quotes,
 * parentheses around it all, `|tojson` and `|string`. Anything else throws, as a broken template does on the real site.
 *
 * @param document every field of the document, null where unset; a field that the site lacks is empty
 */
export function renderTemplate(template: string, document: Record<string, unknown>): string {
  return template.replaceAll(/\{\{(.*?)\}\}/gs, (_whole, expression: string) => {
    const read = notations.flatMap((notation) => notation.exec(expression) ?? []);
    if (read.length === 0) throw new Error(`the template expression "${expression.trim()}" is not understood`);
    const [, named = '', filtered = ''] = read;
    const values = [...named.matchAll(terms)].map(([text]) =>
      text.startsWith('doc.') ? document[text.slice('doc.'.length)] : text.slice(1, -1),
    );
    let value = values.find(Boolean) ?? values.at(-1);
    for (const [filter] of filtered.matchAll(/\w+/g))
      value = filter === 'tojson' ? JSON.stringify(value ?? null) : pythonText(value);
    return pythonText(value);
  });
}

/** How a value stands in a text: null is `None`, something that is not there is nothing. */
function pythonText(value: unknown): string {
  if (value === undefined) return '';
  return value === null ? 'None' : String(value);
}

const jsonTokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * Writes JSON again as Python's `json.dumps` does: `, ` and `: ` between the parts, ASCII only, numbers and the order of
 * keys as they were. Throws for what is no JSON.
 */
export function pythonJson(json: string): string {
  JSON.parse(json);
  return (json.match(jsonTokens) ?? [])
    .map((token) => {
      if (token.startsWith('"')) return asciiText(JSON.parse(token) as string);
      return token === ',' || token === ':' ? `${token} ` : token;
    })
    .join('');
}

function asciiText(text: string): string {
  const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replaceAll(/[\u007f-\uffff]/g, escaped);
}
