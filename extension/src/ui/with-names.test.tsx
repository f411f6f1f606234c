import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { WithNames } from './with-names.tsx';

const html = (text: string, ...names: (string | null)[]) =>
  renderToStaticMarkup(<WithNames text={text} names={names} />).replaceAll(' class="font-semibold"', '');

test('each name is isolated, wherever and however often it occurs; the text stays as it is', () => {
  expect(html('Links A to B instead of A.', 'B', null, 'A')).toBe(
    'Links <bdi>A</bdi> to <bdi>B</bdi> instead of <bdi>A</bdi>.',
  );
  expect(html('No name.', 'X', '')).toBe('No name.');
});
