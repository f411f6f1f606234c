import { createRequire } from 'node:module';
import { htmlDecodeTree } from 'entities/decode';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { unpackEntities } from './unpack-entities.ts';

test('what is built has the same table of entities, and unpacks nothing when it is loaded', async () => {
  const input = createRequire(import.meta.url).resolve('entities/decode');
  const bundle = await rolldown({ input, platform: 'node', plugins: [unpackEntities] });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  expect(output[0].code).not.toContain('decodeTrieDict');
  const built = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  expect(built.htmlDecodeTree).toStrictEqual(htmlDecodeTree);
});
