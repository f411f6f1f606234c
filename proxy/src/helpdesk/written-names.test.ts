import { demo } from '@deskside/simulators/seed/index';
import { sized } from '@deskside/testing/size';
import { expect, test } from 'vitest';
import { readQuery } from '#intake/read-query.ts';
import { spellingsOf, vowels, writtenNames } from '#intake/testing/written-names.ts';
import { as, signal, useSimulatedSite } from './testing/simulated-site.ts';

const hosts = { platform_hosts: [], guarded_domains: [] };
const site = useSimulatedSite();
const names = writtenNames(sized({ small: 72, full: 200 }));

async function found(text: string): Promise<string[]> {
  const { customerSearch } = await site.warmed();
  const { customers } = await customerSearch.searchAs(as(demo.agent), readQuery(text, hosts), signal);
  return customers.map(({ name }) => name);
}

test('each of many names with all Vietnamese letters is found however it is stored and asked for, in one request', async () => {
  const letters = names.map(({ name }) => name.toLowerCase()).join('');
  expect(vowels.filter((vowel) => !letters.includes(vowel))).toEqual([]);
  for (const { stored } of names) site.simulator.put('HD Customer', { name: stored, customer_name: stored });
  await site.warmed();
  const missed: string[][] = [];
  for (const { name, stored } of names)
    for (const asked of spellingsOf(name)) {
      site.simulator.clearJournal();
      if (!(await found(asked)).includes(stored)) missed.push([asked, stored]);
      expect(site.calls()).toHaveLength(1);
    }
  expect(missed).toEqual([]);
});

test('a name is found by three letters of it, however it is stored, and a request stays as short as the server takes', async () => {
  for (const [at, stored] of ['Đá Đỏ'.normalize('NFD'), 'Ðá Ɖỏ', 'Yế\u00adn', 'An\u200b Tâm', 'Bà  Cả'].entries())
    site.simulator.put('HD Customer', { name: stored, customer_name: `${stored} ${at}` });
  const asked = { 'đá đỏ': 2, 'da do': 2, DA: 2, yen: 1, yên: 1, 'an tam': 1, 'ba ca': 1 };
  const lengths: number[] = [];
  for (const [text, count] of Object.entries(asked))
    expect([text, (await found(text)).length >= count]).toEqual([text, true]);
  for (const text of ['d d d d', 'đđ đđ đđ', '中'.repeat(140), 'ớ '.repeat(70), 'a'.repeat(140)]) {
    await found(text);
    lengths.push(...site.simulator.journal.map(({ path }) => path.length));
  }
  expect(Math.max(...lengths)).toBeLessThan(4_000);
});
