import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** A file that the page loads. */
export interface Asset {
  path: string;
  type: string;
  content: string;
}

const here = (at: string) => new URL(at, import.meta.url);

let built: Promise<{ script: Asset; styles: Asset }> | undefined;

/**
 * What the page loads: one script and one stylesheet whose names say what is in them, as the real helpdesk's build has
 * them, so that a browser keeps them. Made once in a process, when the first page is asked for.
 */
export function pageAssets(): Promise<{ script: Asset; styles: Asset }> {
  built ??= build();
  return built;
}

async function build() {
  const [script, styles] = await Promise.all([bundle(), stylesheet()]);
  return {
    script: asset('js', 'text/javascript; charset=utf-8', script),
    styles: asset('css', 'text/css; charset=utf-8', styles),
  };
}

function asset(extension: string, type: string, content: string): Asset {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 8);
  return { path: `/assets/helpdesk/desk/assets/index-${digest}.${extension}`, type, content };
}

async function bundle(): Promise<string> {
  const bundling = await rolldown({ input: fileURLToPath(here('./app/main.js')), logLevel: 'warn' });
  const { output } = await bundling.generate({ format: 'esm' });
  await bundling.close();
  return output[0].code;
}

/** In the order in which they count. */
const styles = ['tokens', 'base', 'frame', 'controls', 'list', 'ticket'];

async function stylesheet(): Promise<string> {
  const own = await Promise.all(styles.map((name) => readFile(here(`./styles/${name}.css`), 'utf8')));
  return [hostileStyles(), ...own].join('\n');
}

/**
 * Rules that a panel without isolation would not survive: a page may style every element it does not know, and
 * each declaration here is important. The page's own elements carry the class `hd` and are left out (`§`); whatever an
 * extension puts into the page is hit in full.
 */
const rules: [selector: string, declarations: string[]][] = [
  [
    'button§',
    [
      'min-width: 160px',
      'padding: 16px 34px',
      'border: 4px ridge #b40',
      'border-radius: 0',
      'background: #c00',
      'color: #ff0',
      'font: italic 700 19px / 1.2 Georgia, serif',
      'text-transform: uppercase',
    ],
  ],
  [
    ':is(h1, h2, h3, h4)§',
    ['margin: 40px 0', 'color: #808', 'font: italic 400 42px / 1 Georgia, serif', 'text-align: center'],
  ],
  ['section§, header§, footer§, article§', ['padding: 28px', 'border: 3px dashed #b36', 'background: #fef']],
  ['dl§', ['display: inline-block', 'margin: 30px', 'border-left: 10px solid orange']],
  ['dt§', ['float: right']],
  ['dd§', ['margin-left: 90px', 'color: #080']],
  ['a§', ['display: block', 'color: #0a0', 'text-decoration: underline wavy red']],
  [':is(ul, ol)§', ['padding-left: 70px', 'list-style: upper-roman inside']],
  ['p§', ['margin: 3em 0', 'line-height: 3']],
  [':is(input, select, textarea)§', ['width: 90px', 'background: #ff0', 'color: #f0f']],
  [':is(svg, img)§', ['display: block', 'max-width: 10px']],
  [':is(table, th, td)§', ['display: inline', 'border: 2px solid #0cc']],
  ['dialog§', ['position: static', 'z-index: -1', 'max-width: 140px', 'max-height: 90px', 'background: #ff0']],
  ['dialog§::backdrop', ['background: #f00']],
  ['§:focus', ['outline: none']],
];

/** The root's font size spares nobody; the text rules reach whatever inherits from a foreign element. */
const base = `html { font-size: 10px; }
:where(body, body *):not(.hd) {
  box-sizing: content-box;
  letter-spacing: 0.14em;
  word-spacing: 0.3em;
  text-indent: 4px;
  line-height: 2.4;
}
`;

/** The stylesheet of the page's hostile rules. */
function hostileStyles(): string {
  const blocks = rules.map(([selector, declarations]) => {
    const lines = declarations.map((declaration) => `  ${declaration} !important;`);
    return `${selector.replaceAll('§', ':not(.hd)')} {\n${lines.join('\n')}\n}\n`;
  });
  return `${base}${blocks.join('')}`;
}
