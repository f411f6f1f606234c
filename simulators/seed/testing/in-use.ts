import { staffEmail } from '#seed/helpdesk-teams.ts';
import { makeSeed } from '#seed/index.ts';
import { createRandom, type Random } from '#seed/random.ts';
import { worldTime } from '#seed/time.ts';
import type { CrmRecord, Seed } from '#seed/types.ts';

/** An invented world whose helpdesk has been in use for years. `truth`: for each customer made by hand the org id of its company. */
export interface SeedInUse extends Seed {
  truth: Readonly<Record<string, string | null>>;
}

/** Where anybody can have an address, beside the real mail services. */
export const freeMail = 'hopthu.example';

/**
 * The world of `makeSeed`, with so many customers more that people have made by hand: no org id in its field, names as
 * people type them, contacts, and the CRM's companies beside them. The same one for the same seed and `now`.
 */
export function makeSeedInUse(options: { seed: number; customers?: number; now?: Date }): SeedInUse {
  const { seed, customers = 300, now = new Date() } = options;
  const world = makeSeed({ now });
  const random = createRandom(seed);
  const desk = deskOf(world, random, seed, now);
  for (const [perHundred, make] of hardCases)
    for (let n = 0; n < (perHundred * customers) / 100; n += 1) make(desk, random, n);
  // Companies that never wrote: they share trades, names and people's habits with those that did.
  for (let n = 0; n < customers / 3; n += 1) desk.make();
  while (Object.keys(desk.truth).length < customers) {
    random.pick(ordinary)(desk, random, desk.make());
  }
  return { ...world, truth: desk.truth };
}

interface Person {
  name: string;
  email: string;
  phone: string;
}

/** A company, before any system has written it down its own way. */
interface Business {
  orgId: string;
  crmId: string;
  brand: string;
  slug: string;
  owner: Person;
  staff: Person;
}

const listed = (text: string) => text.trim().split(/,\s+/);
const trades = listed(`
  Gốm Sứ, Cà Phê, Trà Sữa, Thời Trang, Mỹ Phẩm, Nội Thất, Đồ Gỗ, Hải Sản, Bánh Kẹo, Nhà Sách,
  Giày Dép, Túi Xách, Yến Sào, Điện Máy, Phụ Kiện, Đồ Chơi, Hoa Tươi, Nước Mắm, Mật Ong, Nông Sản
`);
const names = listed(`
  Trúc Xanh, Hương Quê, Sao Khuê, Đồng Nội, Biển Gọi, Mộc Lan, Ánh Dương, Bình Minh, Cát Tường,
  Đất Việt, Hạ Long, Kim Ngân, Lộc Phát, Minh Châu, Ngọc Bích, Phú Quý, Quê Nhà, Rạng Đông, Sen Vàng,
  Thiên Ân, Uyên Ương, Việt Hưng, Xuân Mai, Yên Tử, Bông Lúa, Chuồn Chuồn, Đèn Dầu
`);
const families = listed('Nguyễn, Trần, Lê, Phạm, Hoàng, Võ, Đặng, Bùi, Đỗ, Hồ, Ngô, Dương, Lý');
const given = listed('Lan, Hà, Minh, Tuấn, Thảo, Dũng, Phương, Quân, Trang, Hải, Yến, Đức, Nga, Bảo');

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('đ', 'd').replaceAll('Đ', 'D');

type Desk = ReturnType<typeof deskOf>;

/** Makes businesses, writes them into the CRM with the habits of its own people, and customers into the helpdesk. */
function deskOf({ crm, helpdesk }: Seed, random: Random, seed: number, now: Date) {
  const at = worldTime(now);
  const { Contact: contacts = [], 'HD Customer': customers = [] } = helpdesk.documents;
  const truth: Record<string, string | null> = {};
  const brands = new Set<string>();
  const base = 70_000 + (seed % 7) * 5_000;
  let companies = 0;
  let people = 0;

  function person(host: string = freeMail): Person {
    const [family, middle, first] = [random.pick(families), random.pick(given), random.pick(given)];
    people += 1;
    return {
      name: `${family} ${middle} ${first}`,
      email: `${plain(first)}.${plain(family)}${people}@${host}`.toLowerCase(),
      phone: `090${String(1_000_000 + seed * 10_007 + people * 37).slice(-7)}`,
    };
  }

  function newBrand(): string {
    // A desk of hundreds has longer names, which shorter ones are a part of.
    const more = brands.size < 350 ? [] : [random.pick(names)];
    const brand = [random.pick(trades), random.pick(names), ...more].join(' ');
    if (brands.has(brand)) return newBrand();
    brands.add(brand);
    return brand;
  }

  /** One that the CRM does not have; `write` adds it. */
  function design(brand = newBrand(), host?: string): Business {
    companies += 1;
    const slug = host ?? `${plain(brand).toLowerCase().replaceAll(' ', '')}${seed % 10}`;
    const one = (atFreeMail: number) => person(random.chance(atFreeMail) ? freeMail : `${slug}.example`);
    const [orgId, crmId] = [200_500_000_000 + seed * 1_000_003 + companies * 7, base + companies].map(String);
    return { orgId, crmId, brand, slug, owner: one(0.35), staff: one(0.15) } as Business;
  }

  const several = (type: string, value: string) => ({ [type]: [{ VALUE_TYPE: 'WORK', VALUE: value, TYPE_ID: type }] });

  function write(
    { orgId, crmId, brand, slug, owner, staff }: Business,
    more: Partial<CrmRecord> = {},
    others: Person[] = [],
  ) {
    const style = random.int(10);
    const title = style < 6 ? `${brand} - ${orgId}` : style < 8 ? `CÔNG TY TNHH ${brand.toUpperCase()}` : brand;
    const site = random.pick([`https://${slug}.example`, `https://www.${slug}.example/`, `${slug}.example`]);
    crm.companies.push({
      ...{ ID: crmId, TITLE: title, DATE_MODIFY: at.crm(-1 - (Number(crmId) % 300)) },
      ...{ UF_CRM_PLATFORM_ORG_ID: orgId, UF_CRM_COMPANY_ID: orgId, UF_CRM_STORENAME: style < 8 ? brand : '' },
      ...{ UF_CRM_SHOP_OWNER_NAME: owner.name, UF_CRM_SHOP_OWNER_EMAIL: owner.email },
      UF_CRM_SHOP_OWNER_PHONE_NUMBER: random.chance(0.7) ? owner.phone : '',
      ...(random.chance(0.6) && several('EMAIL', `info@${slug}.example`)),
      ...(random.chance(0.75) && several('WEB', site)),
      ...more,
    });
    for (const { name, email, phone } of [owner, ...(random.chance(0.6) ? [staff] : []), ...others]) {
      const [LAST_NAME = '', ...rest] = name.split(' ');
      // Numbers are written in several ways there.
      const PHONE = [phone, `+84${phone.slice(1)}`, `${phone.slice(0, 4)} ${phone.slice(4, 7)} ${phone.slice(7)}`];
      crm.contacts.push({
        ...{ ID: String(base + 10_000 + crm.contacts.length), NAME: rest.join(' '), LAST_NAME, COMPANY_ID: crmId },
        ...several('EMAIL', email),
        ...several('PHONE', random.pick(PHONE)),
      });
    }
  }

  /** One that the CRM has. */
  function make(): Business {
    const business = design();
    write(business);
    return business;
  }

  /** A customer made by hand; `of`: whose it really is. `by`: the account that made the Contact, if it is none of the desk. */
  function add(written: string, of: Business | null, members: (Partial<Person> & { by?: string })[], domain?: string) {
    let name = written;
    for (let n = 2; truth[name] !== undefined; n += 1) name = `${written} ${n}`;
    truth[name] = of?.orgId ?? null;
    const ownerOfAll = { owner: staffEmail('an'), modified_by: staffEmail('an'), modified: at.site(800) };
    const listing: { contact_name: string }[] = [];
    for (const [n, { name: full_name = 'Khách', email: email_id, phone, by }] of members.entries()) {
      const title = `${full_name}-${name}-${n}`;
      const number = phone && random.pick([phone, `+84 ${phone.slice(1)}`, `${phone.slice(0, 4)}.${phone.slice(4)}`]);
      contacts.push({
        ...{ ...ownerOfAll, ...(by && { owner: by }), name: title, creation: at.site(6_000 - contacts.length) },
        ...{ first_name: full_name, full_name, email_id: email_id ?? null },
        email_ids: email_id ? [{ email_id, is_primary: 1 }] : [],
        phone_nos: number ? [{ phone: number, is_primary_phone: 1 }] : [],
        links: [{ link_doctype: 'HD Customer', link_name: name, link_title: name }],
      });
      // Those that website users made link themselves; nobody of the desk lists them.
      if (by === undefined) listing.push({ contact_name: title });
    }
    const creation = at.site(7_000 - customers.length);
    customers.push({ ...ownerOfAll, name, customer_name: name, domain: domain ?? null, creation, contacts: listing });
  }

  /** An account of the portal, for whoever writes a Contact of their own. */
  function account(name: string): string {
    const key = `portal-in-use-${helpdesk.users.length}`;
    const secrets = { password: `${key}-password`, apiKey: key, apiSecret: `${key}-secret` };
    helpdesk.users.push({ name, fullName: name, roles: [], enabled: true, ...secrets });
    return name;
  }
  return { truth, newBrand, person, design, write, make, add, account };
}

/** What has led somebody to the wrong company before, by how many of a hundred customers have it. */
const hardCases: [perHundred: number, make: (desk: Desk, random: Random, n: number) => void][] = [
  // Shops of one brand and one domain, each with an org id; what the head office's people say is of all of them.
  [
    1,
    ({ newBrand, person, design, write, add }, random) => {
      const brand = newBrand();
      const first = design(brand);
      const office = person(`${first.slug}.example`);
      for (const place of ['Q1', 'Thủ Đức', 'Hà Đông', 'Cần Thơ']) {
        const branch = design(`${brand} ${place}`, first.slug);
        write(branch, {}, random.chance(0.7) ? [office] : []);
        const members = random.pick([[branch.owner], [branch.owner, office], [office]]);
        if (place !== 'Cần Thơ') add(random.pick([branch.brand, `${brand} - CN ${place}`]), branch, members);
      }
      // The brand alone: the first shop's, as its manager says.
      write(first, {}, [office]);
      add(plain(brand), first, [first.owner, office]);
    },
  ],
  // One person writes for several companies, and the CRM knows them as the contact of one.
  [
    1,
    ({ person, design, write, add }, random) => {
      const keeper = person();
      for (let n = 0; n < 4; n += 1) {
        const client = design();
        write(client, {}, n === 0 ? [keeper] : []);
        const members = n === 2 || random.chance(0.4) ? [keeper] : [keeper, client.owner];
        add(n === 2 ? `Khách của ${keeper.name}` : client.brand, client, members);
      }
    },
  ],
  // An agency is a customer of the desk and nobody in the CRM, where its people are its clients' contacts.
  [
    1.4,
    ({ newBrand, person, design, write, add }, _, n) => {
      const host = `agency${n}.example`;
      const people = [person(host), person(host)];
      const clients = Array.from({ length: 1 + (n % 2) }, () => design());
      for (const client of clients) write(client, {}, people);
      add(`Agency ${newBrand().split(' ').slice(-2).join(' ')} ${n}`, null, people, host);
      for (const client of clients.slice(0, 1)) add(client.brand, client, [client.owner, ...people]);
    },
  ],
  // The same company twice in the helpdesk.
  [
    1.4,
    ({ make, add }, random) => {
      const company = make();
      add(company.brand, company, [company.owner]);
      const other = `${plain(company.brand)} ${random.pick(['', 'HN', '2'])}`.trim();
      add(other, company, [random.pick([company.owner, company.staff])]);
    },
  ],
  // The same company twice in the CRM: under one org id, without one, or as the shop that it had before.
  [
    1,
    ({ make, design, write, add }, _, n) => {
      const company = make();
      const { brand, slug, owner, staff, orgId } = company;
      const twin = { ...design(brand, slug), owner, staff };
      if (n % 3 === 0) write({ ...twin, orgId });
      else if (n % 3 === 1) write(twin, { UF_CRM_PLATFORM_ORG_ID: '', UF_CRM_COMPANY_ID: '' });
      else write(twin, { TITLE: `${brand} (đã đóng)` });
      add(brand, company, [owner]);
    },
  ],
  // Somebody on the portal wrote another company's address into a Contact of their own.
  [
    1,
    ({ make, add, account }, _, n) => {
      const victim = make();
      const claims = { ...victim.owner, by: account(`gia.danh${n}.${victim.crmId}@${freeMail}`) };
      // The shop next door has the same name and is not in the CRM.
      if (n % 2 === 0) return add(victim.brand, null, [claims]);
      const company = make();
      return add(company.brand, company, [company.owner, claims]);
    },
  ],
  // Two shops of one owner, whom the CRM has written down at one of them only.
  [
    1,
    ({ make, design, write, add }, random) => {
      const first = make();
      const second = { ...design(), owner: first.staff };
      const isKnown = random.chance(0.6);
      if (isKnown) write(second);
      add(second.brand, isKnown ? second : null, [first.owner]);
    },
  ],
  // Somebody who works elsewhere now, which the CRM has not heard.
  [
    1,
    ({ make, add }) => {
      const [former, company] = [make(), make()];
      add(company.brand, company, [{ ...former.staff, email: former.owner.email }, company.owner]);
    },
  ],
  // An org id that was copied from the line above, a telephone number in its place, or the CRM's own id.
  [
    1,
    ({ make, add }, _, n) => {
      const [one, company] = [make(), make()];
      const written = [one.orgId, company.owner.phone, company.crmId][n % 3];
      add(`${company.brand} - ${written}`, company, [company.owner]);
    },
  ],
  // Two businesses of one name, of which the CRM has the other one.
  [1, ({ make, person, add }) => add(make().brand, null, [person()])],
  // Walk-ins, suppliers, trials.
  [
    6,
    ({ person, newBrand, add }, random, n) => {
      const { name } = person();
      const title = [`Khách lẻ ${n}`, `${name} ${n}`, `Test ${n}`, `NCC ${newBrand()} ${n}`, `Shop ${name}`];
      const domain = random.chance(0.2) ? 'https://facebook.com/shop' : undefined;
      add(random.pick(title), null, random.chance(0.6) ? [person()] : [], domain);
    },
  ],
];

/** How people write down a company that the CRM has; what they do more often stands here more often. */
const ordinary: ((desk: Desk, random: Random, company: Business) => void)[] = [
  ...Array.from({ length: 7 }, () => inWords(otherWords)),
  inWords(plain),
  inWords(plain),
  inWords(oneBadLetter),
  inWords(oneBadLetter),
  // The org id in the name, and an address that the CRM does not have.
  ({ add, person }, random, of) =>
    add(random.pick([`${of.brand} - ${of.orgId}`, `${of.orgId} - ${plain(of.brand)}`]), of, [person()]),
  ({ add }, random, of) => add(`${of.brand} - ${of.orgId}`, of, some(of, random)),
  // A nickname, and nothing but a telephone number.
  ({ add }, _, of) => {
    const { name, phone } = of.owner;
    add(`Chị ${name.split(' ').at(-1)} ${of.slug.slice(-6)}`, of, [{ name, phone }]);
  },
  // An address that the CRM does not have, and a number that it has.
  ({ add, person }, random, of) => add(otherWords(of.brand, random), of, [{ ...person(), phone: of.owner.phone }]),
  ({ add, person }, random, of) => add(otherWords(of.brand, random), of, [{ ...person(), phone: of.owner.phone }]),
  // The domain that it had before.
  ({ add, person }, _, of) => {
    const former = `${of.slug.slice(0, -1)}-cu.example`;
    add(of.brand, of, [person(former)], former);
  },
  // Nobody, under a name without accents; or nothing that anybody could tell it by.
  ({ add, person }, random, of) => {
    if (random.chance(0.5)) add(plain(of.brand), of, []);
    else add(`Shop ${plain(of.brand.split(' ').at(-1) ?? '')} ${random.int(900)}`, of, [person()]);
  },
];

function inWords(words: (brand: string, random: Random) => string) {
  return ({ add }: Desk, random: Random, of: Business) => {
    const domain = random.chance(0.45) ? random.pick([`${of.slug}.example`, `www.${of.slug}.example`]) : undefined;
    add(words(of.brand, random), of, some(of, random), domain);
  };
}

function some({ owner, staff }: Business, random: Random): Person[] {
  return random.chance(0.35) ? [owner, staff] : [random.chance(0.65) ? owner : staff];
}

/** A company's name as somebody at a desk would write it. */
function otherWords(brand: string, random: Random): string {
  const spaced = brand.replaceAll(' ', '  ');
  const ways = [brand, brand, brand.toUpperCase(), brand.toLowerCase(), `${brand} (KH cũ)`, spaced];
  return random.pick([...ways, `Công ty TNHH ${brand}`, `CTY ${brand}`, `Shop ${brand}`]);
}

/** A name with a letter left out, doubled or exchanged with its neighbour, not at its ends. */
function oneBadLetter(name: string, random: Random): string {
  const letters = [...name];
  const at = 1 + random.int(letters.length - 3);
  const [here = '', next = ''] = letters.slice(at, at + 2);
  letters.splice(at, 2, ...random.pick([[here], [here, here, next], [next, here]]));
  return letters.join('');
}
