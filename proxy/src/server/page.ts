import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { OpenApi, Operation, Schema } from './document.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1.25rem 4rem; }
h2 { margin: 2.5rem 0 0; font-size: 1.1rem; overflow-wrap: anywhere; }
h2 span { border: 1px solid; border-radius: 4px; font-size: .8rem; margin-right: .5rem; padding: .1rem .4rem; }
code { font-size: .9em; overflow-wrap: anywhere; }
div { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
td code, th:last-child { white-space: nowrap; }
th, td { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .3rem .75rem .3rem 0; text-align: left; vertical-align: top; }
a { color: inherit; }
summary { cursor: pointer; margin-top: .75rem; }
nav ul { columns: 18rem; padding-left: 1.2rem; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** Allows this page's own style and nothing else: no script, no request to anywhere. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The document as a page for people. It has no script (docs/decisions.md 37). */
export function pageOf({ info, paths }: OpenApi): Html {
  const operations = Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get ? [{ path, method: 'GET', operation: get }] : []),
    ...(post ? [{ path, method: 'POST', operation: post }] : []),
  ]);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} ${info.version}: endpoints</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
<h1>${info.title} ${info.version}: endpoints</h1>
<p>${info.description} Every JSON answer is <code>{success, data, message}</code>.
The same for programs: <a href="/openapi.json">openapi.json</a>.</p>
<nav aria-label="Endpoints"><ul>${operations.map(
    ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.operationId}</a></li>`,
  )}</ul></nav>
${operations.map(({ path, method, operation }) => section(path, method, operation))}
</main>
</body>
</html>`;
}

function section(path: string, method: string, operation: Operation): Html {
  const { operationId, summary, security, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const input = parameters
    ? parameters.flatMap(({ name, required, schema }) => rowsOf(name, schema, required))
    : body
      ? rowsOf('', body, true)
      : [];
  const answer = Object.values(responses)[0]?.content?.['application/json']?.schema?.properties?.data;
  return html`<section aria-labelledby="${operationId}">
<h2 id="${operationId}"><span>${method}</span><code>${path}</code></h2>
<p>${summary} ${whoMay(security)}</p>
${input.length > 0 ? table(operationId, parameters ? 'Query' : 'Body', input) : ''}
${answer ? html`<details><summary>What <code>data</code> holds</summary>${table(operationId, 'data', rowsOf('', answer, true))}</details>` : ''}
</section>`;
}

function whoMay(security: Operation['security']): string {
  const names = security.flatMap((one) => Object.keys(one));
  if (names.length === 0) return 'Needs no credential of the helpdesk.';
  return names.includes('helpdesk_token') ? 'For agents.' : `Needs ${names.join(' or ')}.`;
}

interface Row {
  name: string;
  type: string;
  isRequired: boolean;
}

function table(of: string, caption: string, rows: readonly Row[]): Html {
  return html`<div tabindex="0" role="region" aria-label="${of}: ${caption}"><table>
<thead><tr><th scope="col">${caption}</th><th scope="col">Type</th><th scope="col">${caption === 'data' ? 'Always there' : 'Needed'}</th></tr></thead>
<tbody>${rows.map(
    ({ name, type, isRequired }) =>
      html`<tr><td><code>${name}</code></td><td>${type}</td><td>${isRequired ? 'yes' : 'no'}</td></tr>`,
  )}</tbody>
</table></div>`;
}

/** A line for each value that a schema can hold, with the path to it. */
function rowsOf(path: string, schema: Schema, isRequired: boolean): Row[] {
  const own: Row[] = path === '' ? [] : [{ name: path, type: typeOf(schema), isRequired }];
  const inner = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...own,
    ...inner.flatMap(({ properties = {}, required = [], items }) => [
      ...Object.entries(properties).flatMap(([name, value]) =>
        rowsOf(path === '' ? name : `${path}.${name}`, value, required.includes(name)),
      ),
      ...(items ? rowsOf(`${path}[]`, items, true) : []),
    ]),
  ];
}

function typeOf(schema: Schema): string {
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return [...new Set(either.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  return [schema.type ?? 'anything'].flat().join(' or ');
}
