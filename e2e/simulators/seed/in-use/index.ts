import { makeSeed } from '#seed/index.ts';
import type { Random } from '#seed/random.ts';
import { createRandom } from '#seed/random.ts';
import { worldTime } from '#seed/time.ts';
import type { Seed } from '#seed/types.ts';
import { companyMaker, freeMail } from './companies.ts';
import { customerWriter } from './customers.ts';
import { addHardCases } from './hard-cases.ts';

/** An invented world whose helpdesk has been in use for years, and for each customer made by hand whose it really is. */
export interface SeedInUse extends Seed {
  truth: Readonly<Record<string, { orgId: string | null; kind: string }>>;
}

/**
 * The world of `makeSeed`, with so many customers more that people have made by hand: no org id in its field, names as
 * people type them, contacts, tickets, and the CRM's companies beside them. The same one for the same seed and `now`.
 */
export function makeSeedInUse(options: { seed: number; customers?: number; now?: Date }): SeedInUse {
  const { seed, customers = 300, now = new Date() } = options;
  const world = makeSeed({ now });
  const random = createRandom(seed);
  const at = worldTime(now);
  const companies = companyMaker(world.crm, at, random, seed);
  const { truth, add, account } = customerWriter(world.helpdesk, at, random, seed);
  const count = () => Object.keys(truth).length;

  addHardCases({ companies, add, account, random, hundreds: customers / 100 });
  // Companies that never wrote: they share trades, names and people's habits with those that did.
  for (let n = 0; n < customers / 3; n += 1) companies.make();

  while (count() < customers) {
    const of = companies.make();
    const { brand, orgId, owner, staff, slug } = of;
    const both = random.chance(0.35) ? [owner, staff] : [random.chance(0.65) ? owner : staff];
    const stranger = () => companies.person(`${slug}.example`, random.chance(0.5));
    const how = random.int(100);
    const base = { truth: orgId, members: both };
    const domain = random.chance(0.45) ? { domain: random.pick([`${slug}.example`, `www.${slug}.example`]) } : {};
    if (how < 38) add({ ...base, ...domain, kind: 'plain', name: otherWords(brand, random) });
    else if (how < 50) add({ ...base, ...domain, kind: 'without accents', name: companies.plain(brand) });
    else if (how < 54)
      add({ ...base, kind: 'without accents, nobody known', name: companies.plain(brand), members: [] });
    else if (how < 64) add({ ...base, ...domain, kind: 'typo', name: oneBadLetter(brand, random) });
    else if (how < 72)
      add({
        ...base,
        kind: 'id in name',
        name: `${brand} - ${orgId}`,
        members: random.chance(0.5) ? [stranger()] : both,
      });
    else if (how < 76)
      add({ ...base, kind: 'id first', name: `${orgId} - ${companies.plain(brand)}`, members: [stranger()] });
    else if (how < 83) {
      const { name, phone } = owner;
      add({
        ...base,
        kind: 'nickname',
        name: `Chị ${name.split(' ').at(-1)} ${slug.slice(-6)}`,
        members: [{ name, phone }],
      });
    } else if (how < 91) {
      // Writes from an address that the CRM does not have, and calls from a number that it has.
      const private_ = { ...companies.person('', true), phone: owner.phone };
      add({ ...base, kind: 'free mail', name: otherWords(brand, random), members: [private_] });
    } else if (how < 96) {
      const former = `${slug.slice(0, -1)}-cu.example`;
      add({ ...base, kind: 'changed domain', name: brand, domain: former, members: [companies.person(former, false)] });
    } else {
      // Nothing that anybody could tell it by.
      const name = `Shop ${companies.plain(brand.split(' ').at(-1) ?? '')} ${random.int(900)}`;
      add({ ...base, kind: 'unknowable', name, members: [companies.person('', true)] });
    }
  }
  return { ...world, truth };
}

/** Free mail of this world, beside the real mail services. */
export { freeMail };

/** A company's name as somebody at a desk would write it. */
function otherWords(brand: string, random: Random): string {
  return random.pick([
    (name: string) => name,
    (name: string) => name,
    (name: string) => name.toUpperCase(),
    (name: string) => name.toLowerCase(),
    (name: string) => `Công ty TNHH ${name}`,
    (name: string) => `CTY ${name}`,
    (name: string) => `Shop ${name}`,
    (name: string) => `${name} (KH cũ)`,
    (name: string) => `${name.split(' ').join('  ')} `.trim(),
  ])(brand);
}

/** A name with a letter left out, doubled or exchanged with its neighbour, not at its ends. */
function oneBadLetter(name: string, random: Random): string {
  const letters = [...name];
  const at = 1 + random.int(letters.length - 3);
  const [here = '', next = ''] = letters.slice(at, at + 2);
  letters.splice(at, 2, ...random.pick([[here], [here, here, next], [next, here]]));
  return letters.join('');
}
