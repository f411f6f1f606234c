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
  /** Key of the JSON that is sent, field of the one customer that has the document's org id. */
  sendsOfCustomer: [key: string, field: string][];
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

/**
 * Reads the Python text: the first literal that is an address, the literal after the secret's header, the pairs of key
 * and `doc.field` or `doc.get("field")`, in `str()` or not, an `if not doc.field:` around it all. Null where no address is asked.
 */
export function readScript(script: string): ReadScript | null {
  const text = script.replaceAll(/^\s*#.*$/gm, '');
  const literals = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([literal]) => JSON.parse(literal) as string);
  const url = literals.find((literal) => literal.startsWith('http'));
  if (url === undefined) return null;
  const logged = /\bfrappe\.log_error\(\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  const header = literals.findIndex((literal) => literal.toLowerCase() === 'x-deskside-secret');
  return {
    url,
    secret: header < 0 ? null : (literals[header + 1] ?? null),
    skipsWhenSet: /^\s*if not doc\.(\w+)\s*:/m.exec(text)?.[1] ?? null,
    ...pairs(text),
    sendsOfCustomer: readsCustomer.test(text) ? ofCustomer(text) : [],
    readsEnvelope: literals.includes('fields'),
    checksTeam: text.includes('not frappe.db.exists("HD Team", fields.get("agent_group"))'),
    literals: new Set(literals),
    catches: /^\s*except\b/m.test(text),
    logsAs: logged === undefined ? null : (JSON.parse(logged) as string),
  };
}

/** The customers that have the document's org id, of which one alone counts. */
const readsCustomer =
  /frappe\.get_all\(\s*"HD Customer", filters=\{"custom_platform_orgid": org_id\}, fields=\["\*"\], limit=2\s*\)[\s\S]*customers\[0\] if len\(customers\) == 1 else \{\}/;

function ofCustomer(text: string): ReadScript['sendsOfCustomer'] {
  return [...text.matchAll(/"(\w+)"\s*:\s*customer\.get\("(\w+)"\)/g)].map(([, key = '', field = '']) => [key, field]);
}

function pairs(text: string): Pick<ReadScript, 'sends' | 'texts'> {
  const notation = /"(\w+)"\s*:\s*(str\(\s*)?(?:doc\.get\("(\w+)"\)|doc\.(\w+))/g;
  const sends: ReadScript['sends'] = [];
  const texts = new Set<string>();
  for (const [, key = '', str, got, attribute = ''] of text.matchAll(notation)) {
    sends.push([key, got ?? attribute]);
    if (str) texts.add(key);
  }
  return { sends, texts };
}
