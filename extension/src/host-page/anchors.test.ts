// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findPlace } from './anchors.ts';

/** The structure of a page as it was recorded from a running Helpdesk. */
function page(release: string, name: string): Document {
  const file = import.meta.resolve(`@deskside/simulators/recordings/helpdesk-${release}/pages/${name}.html`);
  return new DOMParser().parseFromString(readFileSync(new URL(file), 'utf8'), 'text/html');
}

test.each(['1.24', '1.28'])('Helpdesk %s: the button goes into the action area of the ticket', (release) => {
  const document = page(release, 'ticket-agent');
  const place = findPlace(document) as Element;
  expect(place.parentElement?.matches('#app-header > header')).toBe(true);
  expect(place.querySelector('[aria-label="Open"]')).not.toBeNull();
  expect(place.querySelector('.breadcrumbs')).toBeNull();
  expect(document.querySelectorAll('div#app-header header > div:last-child')).toHaveLength(1);
});

test.each(['1.24', '1.28'])(
  'Helpdesk %s: on a phone there is no room in the header, so the button floats',
  (release) => {
    expect(findPlace(page(release, 'ticket-agent-mobile'))).toBe('floating');
  },
);

test('a page without a header has no place yet', () => {
  expect(findPlace(new DOMParser().parseFromString('<div id=app></div>', 'text/html'))).toBeNull();
});
