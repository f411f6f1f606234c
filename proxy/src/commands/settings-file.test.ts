import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, settingNames } from '#config.ts';
import { changeSettings, parseSettings } from './settings.ts';

describe('a line of the file of settings', () => {
  test.each([
    ['HOST=::1', '::1'],
    ['HOST =  ::1  ', '::1'],
    ['  export HOST=::1', '::1'],
    ['HOST=', ''],
    ['HOST=# nothing but a comment', ''],
    ['HOST=a # a comment', 'a'],
    ['HOST=a\t#a comment', 'a'],
    ['HOST=a#b', 'a#b'],
    ['HOST=a=b', 'a=b'],
    ['HOST=a "b" c', 'a "b" c'],
    ["HOST='a # b'", 'a # b'],
    ["HOST='a \\' # b", 'a \\'],
    ['HOST="a # b" # a comment', 'a # b'],
    ['HOST="say \\"a\\" and \\\\"', 'say "a" and \\'],
    ['HOST="$HOME and \\n"', '$HOME and \\n'],
    ['HOST={"a": "b#c"}', '{"a": "b#c"}'],
    ['# HOST=a\n\n  # b\r\nHOST=c\r\n', 'c'],
  ])('%j is read as %j', (line, value) => {
    expect(parseSettings(line)).toEqual({ values: { HOST: value }, problems: [] });
  });

  test.each([
    ['HOST', 'line 1: expected NAME=value'],
    ['\n; HOST=a', 'line 2: expected NAME=value'],
    ['HOST="a', 'HOST: in line 1 a quote has no end'],
    ["HOST='a'b", 'HOST: in line 1 a quote has no end, or something follows it'],
    ['HOST=a\nPORT=1\nHOST=b', 'HOST: stands twice, in lines 1 and 3'],
    ['host=a', 'host: is no setting; did you mean HOST? (line 1)'],
    ['CRM_TIMEOUT_SECOND=5', 'CRM_TIMEOUT_SECOND: is no setting; did you mean CRM_TIMEOUT_SECONDS?'],
    ['CRM_TIMEOUT=5', 'CRM_TIMEOUT: is no setting; did you mean CRM_TIMEOUT_SECONDS?'],
    [
      'NODE_EXTRA_CA_CERTS=/ca',
      'NODE_EXTRA_CA_CERTS: is no setting; variables of other programs belong in the environment',
    ],
    [
      'METRICS_PORT=9100',
      'METRICS_PORT: is no setting any more: take line 1 out, and have Prometheus read /metrics with',
    ],
    ['DESKSIDE_ADMIN_KEY=a:b', 'DESKSIDE_ADMIN_KEY: is kept in no file of settings: use --admin-key-file'],
  ])('%j is refused: %s', (text, problem) => {
    const { problems } = parseSettings(text);
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });
});

test('the proxy to helpdesk and CRM may stand beside the settings; every fault is named, and no value', () => {
  const proxies = { HTTPS_PROXY: 'http://proxy.example:3128', NO_PROXY: 'crm.example' };
  expect(parseSettings(changeSettings('', proxies))).toEqual({ values: proxies, problems: [] });
  const secret = 'c4n4ry';
  const { values, problems } = parseSettings(
    `${secret}\nMASTER_KEY=${secret}\nHOST=a\nPORT="${secret}\nTEAM=${secret}`,
  );
  expect(values).toEqual({ HOST: 'a' });
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(['line 1', 'MASTER_KEY', 'PORT', 'TEAM']);
  expect(problems.join()).not.toContain(secret);
});

test('UTF-8 is read, with or without a mark, and every other encoding is refused by name', () => {
  for (const text of ['HOST=ố', '\ufeffHOST=ố']) expect(decodeText(Buffer.from(text))).toBe('HOST=ố');
  const marked = Buffer.from('\ufeffHOST=a', 'utf16le');
  for (const bytes of [marked, Buffer.from(marked).swap16(), Buffer.from('HOST=a', 'utf16le')])
    expect(() => decodeText(bytes)).toThrow('UTF-16');
  expect(() => decodeText(Buffer.from('HOST=é', 'latin1'))).toThrow('not UTF-8');
});

describe('a changed file', () => {
  test('keeps its order, its comments and the ends of its lines', () => {
    const before = '# ours\r\nPORT=1 # the port\r\n\r\n  export HOST = "a"  # b\r\nLOG_LEVEL=info';
    expect(changeSettings(before, { HOST: 'c d', PUBLIC_URL: 'https://d.example', PORT: '2' })).toBe(
      '# ours\r\nPORT=2 # the port\r\n\r\n  export HOST = c d  # b\r\nLOG_LEVEL=info\r\nPUBLIC_URL=https://d.example\r\n',
    );
  });

  test('loses a line that is taken out, and nothing else', () => {
    expect(changeSettings('A=1\nHOST=a # b\n# c\nPORT=2', { HOST: null, LOG_LEVEL: null })).toBe('A=1\n# c\nPORT=2');
  });

  const name = fc.constantFrom(...settingNames);
  const value = fc
    .string({ unit: 'grapheme' })
    .filter((text) => !/[\r\n\u2028\u2029]/.test(text) && text === text.trim());
  const odd = fc
    .array(fc.constantFrom('#', ' ', '"', "'", '\\', '=', 'a', '$', '{', '\t'))
    .map((letters) => letters.join('').trim());
  const values = fc.dictionary(name, fc.oneof(value, odd));

  test('says what was written into it, whatever that is, and nothing else is changed', () => {
    fc.assert(
      fc.property(values, values, (before, changes) => {
        const text = `# a comment\n${changeSettings('', before)}`;
        const after = changeSettings(text, changes);
        expect(parseSettings(after)).toEqual({ values: { ...before, ...changes }, problems: [] });
        expect(changeSettings(after, changes)).toBe(after);
        expect(after.startsWith('# a comment\n')).toBe(true);
      }),
    );
  });
});
