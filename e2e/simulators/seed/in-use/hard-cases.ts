import type { Random } from '#seed/random.ts';
import type { Business, companyMaker, Person } from './companies.ts';
import type { customerWriter } from './customers.ts';

interface World extends Pick<ReturnType<typeof customerWriter>, 'add' | 'account'> {
  companies: ReturnType<typeof companyMaker>;
  random: Random;
  /** Of customers, to be made in all. */
  hundreds: number;
}

/** What has led somebody to the wrong company before. */
export function addHardCases(world: World): void {
  const { hundreds } = world;
  const times = (perHundred: number, make: (world: World, n: number) => void) => {
    for (let n = 0; n < perHundred * hundreds; n += 1) make(world, n);
  };
  times(1, franchise);
  times(1, bookkeeper);
  times(1.4, agency);
  times(1.4, twinsInHelpdesk);
  times(1, twinsInCrm);
  times(1, forged);
  times(1, sisters);
  times(1, formerEmployee);
  times(1, wrongId);
  times(1, sameNameElsewhere);
  times(6, nobodys);
}

/** Shops of one brand and one domain, each with an org id; what the head office's people say is of all of them. */
function franchise({ companies, add, random }: World): void {
  const brand = companies.newBrand();
  const first = companies.design(brand);
  const office = companies.person(`${first.slug}.example`, false);
  const branches = ['Q1', 'Thủ Đức', 'Hà Đông', 'Cần Thơ'].map((place) => ({
    ...companies.design(`${brand} ${place}`, first.slug),
    place,
  }));
  for (const branch of branches) companies.write(branch, {}, random.chance(0.7) ? [office] : []);
  companies.write(first, {}, [office]);
  for (const { place, orgId, owner } of branches.slice(0, 3)) {
    const members = random.pick([[owner], [owner, office], [office]]);
    add({
      kind: 'franchise',
      name: random.pick([`${brand} ${place}`, `${brand} - CN ${place}`]),
      members,
      truth: orgId,
    });
  }
  // The brand alone: the first shop's, as its manager says.
  add({ kind: 'franchise', name: companies.plain(brand), members: [first.owner, office], truth: first.orgId });
}

/** One person writes for several companies, and the CRM knows them as the contact of one. */
function bookkeeper({ companies, add, random }: World): void {
  const keeper = companies.person('', true);
  const clients = Array.from({ length: 4 }, () => companies.design());
  for (const [n, client] of clients.entries()) companies.write(client, {}, n === 0 ? [keeper] : []);
  for (const [n, { brand, orgId, owner }] of clients.entries()) {
    const name = n === 2 ? `Khách của ${keeper.name}` : brand;
    const members = n === 2 || random.chance(0.4) ? [keeper] : [keeper, owner];
    add({ kind: 'bookkeeper', name, members, truth: orgId });
  }
}

/** An agency is a customer of the desk and nobody in the CRM, where its people are its clients' contacts. */
function agency({ companies, add }: World, n: number): void {
  const name = `Agency ${companies.newBrand().split(' ').slice(-2).join(' ')} ${n}`;
  const host = `agency${n}.example`;
  const people = [companies.person(host, false), companies.person(host, false)];
  const clients = Array.from({ length: 1 + (n % 2) }, () => companies.design());
  for (const client of clients) companies.write(client, {}, people);
  add({ kind: 'agency', name, domain: host, members: people, truth: null });
  const [client] = clients;
  if (client)
    add({ kind: 'of an agency', name: client.brand, members: [client.owner, ...people], truth: client.orgId });
}

/** The same company twice in the helpdesk. */
function twinsInHelpdesk({ companies, add, random }: World): void {
  const { brand, orgId, owner, staff } = companies.make();
  const other = random.chance(0.5) ? [owner] : [staff];
  add({ kind: 'twins', name: brand, members: [owner], truth: orgId });
  add({
    kind: 'twins',
    name: `${companies.plain(brand)} ${random.pick(['', 'HN', '2'])}`.trim(),
    members: other,
    truth: orgId,
  });
}

/** The same company twice in the CRM: under one org id, without one, or as the shop that it had before. */
function twinsInCrm({ companies, add }: World, n: number): void {
  const business = companies.make();
  const { crmId, brand, orgId, owner, slug } = business;
  const twin: Business = { ...companies.design(brand, slug), owner, staff: business.staff };
  const none = { UF_CRM_PLATFORM_ORG_ID: '', UF_CRM_COMPANY_ID: '' };
  if (n % 3 === 0) companies.write({ ...twin, orgId });
  else if (n % 3 === 1) companies.write(twin, none);
  else companies.write({ ...twin, crmId: String(Number(crmId) + 4_500) }, { TITLE: `${brand} (đã đóng)` });
  add({ kind: 'twins in the CRM', name: brand, members: [owner], truth: orgId });
}

/** Somebody on the portal wrote another company's address into a Contact of their own. */
function forged({ companies, add, account }: World, n: number): void {
  const victim = companies.make();
  const forger = `gia.danh${n}.${victim.crmId}@hopthu.example`;
  account(forger);
  const { name, email, phone } = victim.owner;
  const claims: Person & { by: string } = { name, email, phone, by: forger };
  if (n % 2 === 0) {
    // The shop next door has the same name and is not in the CRM.
    add({ kind: 'forged', name: victim.brand, members: [claims], truth: null, typed: victim.orgId });
    return;
  }
  const { brand, orgId, owner } = companies.make();
  add({ kind: 'forged', name: brand, members: [owner, claims], truth: orgId, typed: victim.orgId });
}

/** Two shops of one owner, whom the CRM has written down at one of them only. */
function sisters({ companies, add, random }: World): void {
  const first = companies.make();
  const second = { ...companies.design(), owner: first.staff };
  const isKnown = random.chance(0.6);
  if (isKnown) companies.write(second);
  add({ kind: 'sisters', name: second.brand, members: [first.owner], truth: isKnown ? second.orgId : null });
}

/** Somebody who works elsewhere now, which the CRM has not heard. */
function formerEmployee({ companies, add }: World): void {
  const [former, now] = [companies.make(), companies.make()];
  const moved = { ...former.staff, email: former.owner.email };
  add({ kind: 'former employee', name: now.brand, members: [moved, now.owner], truth: now.orgId });
}

/** An org id that was copied from the line above, a telephone number in its place, or the CRM's own id. */
function wrongId({ companies, add }: World, n: number): void {
  const [one, other] = [companies.make(), companies.make()];
  const written = [one.orgId, other.owner.phone, other.crmId][n % 3];
  add({ kind: 'wrong id', name: `${other.brand} - ${written}`, members: [other.owner], truth: other.orgId });
}

/** Two businesses of one name, of which the CRM has the other one. */
function sameNameElsewhere({ companies, add }: World): void {
  const { brand } = companies.make();
  add({ kind: 'same name elsewhere', name: brand, members: [companies.person('', true)], truth: null });
}

/** Walk-ins, suppliers, trials. */
function nobodys({ companies, add, random }: World, n: number): void {
  const { name } = companies.person('', true);
  const title = [`Khách lẻ ${n}`, `${name} ${n}`, `Test ${n}`, `NCC ${companies.newBrand()} ${n}`, `Shop ${name}`];
  const members = random.chance(0.6) ? [companies.person('', true)] : [];
  const domain = random.chance(0.2) ? { domain: 'https://facebook.com/shop' } : {};
  add({ kind: 'nobody’s', name: random.pick(title), members, truth: null, ...domain });
}
