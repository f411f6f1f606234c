/** What a Before Insert script of the shape that provisioning writes does, read from its text. */
export interface ReadScript {
  url: string;
  /** Value of the header X-Deskside-Secret; null where the script sends none. */
  secret: string | null;
  /** It asks nobody for a document in which this field is set. */
  skipsWhenSet: string | null;
  /** Key of the JSON that is sent, field of the document that it holds. */
  sends: [key: string, field: string][];
  /** Keys whose values the script turns into text with `str()`. */
  texts: Set<string>;
  /** Whether the fields to set stand under `data.fields` of the answer, or are the answer itself. */
  readsEnvelope: boolean;
  /** Whether it sets nothing if the answer names a team that does not exist. */
  checksTeam: boolean;
  /** Text literals: only fields named by one of them are set. */
  literals: Set<string>;
  /** Whether the script survives every failure. */
  catches: boolean;
  /** Title under which it puts its own failure into the Error Log; null where it does not. */
  logsAs: string | null;
}

/** What is sent where the script does not list keys and fields. */
const usual = ['key', 'subject', 'owner', 'raised_by', 'customer', 'contact', 'custom_orgid', 'agent_group'];
const methodsOfDoc = new Set(['get', 'set', 'as_dict', 'name']);

/**
 * Reads the Python text: the first literal that is an address, the literal after the secret's header, the pairs of key
 * and `doc.field` or `doc.get("field")`, in `str()` or not, an `if not doc.field:` around it all. Null where no address is asked.
 */
export function readScript(script: string): ReadScript | null {
  const text = script.replaceAll(/^\s*#.*$/gm, '');
  const literals = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g)].map((match) => plain(match));
  const url = literals.find((literal) => literal.startsWith('http'));
  if (url === undefined) return null;
  const header = literals.findIndex((literal) => literal.toLowerCase() === 'x-deskside-secret');
  return {
    url,
    secret: header < 0 ? null : (literals[header + 1] ?? null),
    skipsWhenSet: /^\s*if not doc\.(\w+)\s*:/m.exec(text)?.[1] ?? null,
    ...pairs(text),
    readsEnvelope: literals.includes('fields'),
    checksTeam: text.includes('not frappe.db.exists("HD Team", fields.get("agent_group"))'),
    literals: new Set(literals),
    catches: /^\s*except\b/m.test(text),
    logsAs: literalAfter(/\bfrappe\.log_error\(\s*/, text),
  };
}

/** The literal with which the text goes on after the first match. */
function literalAfter(start: RegExp, text: string): string | null {
  const found = start.exec(text);
  const literal = found && /^"((?:[^"\\]|\\.)*)"/.exec(text.slice(found.index + found[0].length));
  return literal ? plain(literal) : null;
}

function plain([, double, single]: RegExpMatchArray): string {
  if (double === undefined) return (single ?? '').replaceAll(/\\(.)/g, '$1');
  try {
    return JSON.parse(`"${double}"`) as string;
  } catch {
    return double;
  }
}

function pairs(text: string): Pick<ReadScript, 'sends' | 'texts'> {
  const notation = /["'](\w+)["']\s*:\s*(str\(\s*)?(?:doc\.get\(["'](\w+)["']\)|doc\.(\w+)|(frappe\.session\.user))/g;
  const sends: ReadScript['sends'] = [];
  const texts = new Set<string>();
  for (const [, key = '', str, got, attribute] of text.matchAll(notation)) {
    sends.push([key, got ?? attribute ?? 'owner']);
    if (str) texts.add(key);
  }
  if (sends.length > 0) return { sends, texts };
  const mentioned = [...text.matchAll(/\bdoc\.(\w+)/g)].map(([, field = '']) => field);
  const fields = new Set([...usual, ...mentioned.filter((field) => !methodsOfDoc.has(field))]);
  return { sends: [...fields].map((field) => [field, field]), texts: new Set(['key']) };
}
