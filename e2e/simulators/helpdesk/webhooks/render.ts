/** A token of the expressions that are understood. */
type Token = { kind: 'field' | 'text' | 'sign'; value: string };

const tokenNotation = /\s*(?:doc\.(\w+)|'([^']*)'|"([^"]*)"|(or\b|[()|]|tojson\b|string\b))\s*/y;

/**
 * Renders a small part of Jinja, what the JSON templates of webhooks use: `{{ doc.field }}`, `or`, texts in quotes,
 * parentheses, `|tojson` and `|string`. Anything else throws, as a broken template does on the real site.
 *
 * @param document every field of the document, null where unset; a field that the site lacks is empty
 */
export function renderTemplate(template: string, document: Record<string, unknown>): string {
  return template.replaceAll(/\{\{(.*?)\}\}/gs, (_whole, expression: string) => {
    const tokens = tokensOf(expression);
    const value = readOr(tokens, document);
    if (tokens.length > 0) throw new Error(`the template expression "${expression.trim()}" is not understood`);
    return pythonText(value);
  });
}

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  tokenNotation.lastIndex = 0;
  while (tokenNotation.lastIndex < expression.length) {
    const match = tokenNotation.exec(expression);
    if (match === null) throw new Error(`the template expression "${expression.trim()}" is not understood`);
    const [, field, single, double, sign] = match;
    const text = single ?? double;
    if (field !== undefined) tokens.push({ kind: 'field', value: field });
    else if (text !== undefined) tokens.push({ kind: 'text', value: text });
    else tokens.push({ kind: 'sign', value: sign ?? '' });
  }
  return tokens;
}

function taken(tokens: Token[], sign: string): boolean {
  const next = tokens[0];
  if (next?.kind !== 'sign' || next.value !== sign) return false;
  tokens.shift();
  return true;
}

function readOr(tokens: Token[], document: Record<string, unknown>): unknown {
  let value = readFiltered(tokens, document);
  // What stands behind `or` has to be read in any case.
  while (taken(tokens, 'or')) {
    const other = readFiltered(tokens, document);
    value = value || other;
  }
  return value;
}

/** A filter binds more tightly than `or`. */
function readFiltered(tokens: Token[], document: Record<string, unknown>): unknown {
  let value = readTerm(tokens, document);
  while (taken(tokens, '|')) {
    if (taken(tokens, 'tojson')) value = JSON.stringify(value ?? null);
    else if (taken(tokens, 'string')) value = pythonText(value);
    else throw new Error('the only template filters that are understood are tojson and string');
  }
  return value;
}

function readTerm(tokens: Token[], document: Record<string, unknown>): unknown {
  if (taken(tokens, '(')) {
    const value = readOr(tokens, document);
    if (!taken(tokens, ')')) throw new Error('a parenthesis in the template is not closed');
    return value;
  }
  const token = tokens.shift();
  if (token === undefined || token.kind === 'sign') throw new Error('the template lacks a value');
  return token.kind === 'text' ? token.value : document[token.value];
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
