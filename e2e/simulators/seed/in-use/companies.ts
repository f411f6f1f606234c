import type { Random } from '#seed/random.ts';
import type { WorldTime } from '#seed/time.ts';
import type { CrmRecord, CrmSeed } from '#seed/types.ts';

/** Where anybody can have an address. */
export const freeMail = 'hopthu.example';

export interface Person {
  name: string;
  email: string;
  phone: string;
}

/** A company of the CRM, before any system has written it down its own way. */
export interface Business {
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
const families = listed(`
  Nguyễn, Trần, Lê, Phạm, Hoàng, Võ, Đặng, Bùi, Đỗ, Hồ, Ngô, Dương, Lý
`);
const given = listed(`
  Lan, Hà, Minh, Tuấn, Thảo, Dũng, Phương, Quân, Trang, Hải, Yến, Đức, Nga, Bảo
`);

/** Makes businesses, and writes them into the CRM with the habits of its own people. */
export function companyMaker(crm: CrmSeed, at: WorldTime, random: Random, seed: number) {
  const taken = new Set<string>();
  const base = 70_000 + (seed % 7) * 5_000;
  let made = 0;
  let contacts = 0;

  const plain = (text: string) =>
    text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('đ', 'd').replaceAll('Đ', 'D');

  function person(host: string, atFreeMail: boolean): Person {
    const [family, middle, first] = [random.pick(families), random.pick(given), random.pick(given)];
    contacts += 1;
    const name = `${family} ${middle} ${first}`;
    const local = `${plain(first)}.${plain(family)}`.toLowerCase();
    return {
      name,
      email: atFreeMail ? `${local}${contacts}@${freeMail}` : `${local}${contacts % 4 === 0 ? '' : contacts}@${host}`,
      phone: `090${String(1_000_000 + seed * 10_007 + contacts * 37).slice(-7)}`,
    };
  }

  function newBrand(): string {
    for (;;) {
      // A desk of thousands has longer names.
      const more = taken.size < 350 ? [] : [random.pick(names)];
      const brand = [random.pick(trades), random.pick(names), ...more].join(' ');
      if (taken.has(brand)) continue;
      taken.add(brand);
      return brand;
    }
  }

  /** A person as the CRM lists them with a company; numbers are written in several ways there. */
  function list({ name, email, phone }: Person, crmId: string): void {
    const ID = String(base + 10_000 + crm.contacts.length);
    const [LAST_NAME = '', ...rest] = name.split(' ');
    const PHONE = [phone, `+84${phone.slice(1)}`, `${phone.slice(0, 4)} ${phone.slice(4, 7)} ${phone.slice(7)}`];
    crm.contacts.push({
      ...{ ID, NAME: rest.join(' '), LAST_NAME, SECOND_NAME: '', POST: '', COMPANY_ID: crmId, ASSIGNED_BY_ID: '338' },
      ...{ DATE_CREATE: at.crm(-700), DATE_MODIFY: at.crm(-40) },
      EMAIL: [{ ID: `${ID}1`, VALUE_TYPE: 'WORK', VALUE: email, TYPE_ID: 'EMAIL' }],
      PHONE: [{ ID: `${ID}2`, VALUE_TYPE: 'WORK', VALUE: random.pick(PHONE), TYPE_ID: 'PHONE' }],
    });
  }

  function write(business: Business, more: Record<string, unknown> = {}, people: readonly Person[] = []): void {
    const { orgId, crmId, brand, slug, owner, staff } = business;
    const style = random.int(10);
    const title = style < 6 ? `${brand} - ${orgId}` : style < 8 ? `CÔNG TY TNHH ${brand.toUpperCase()}` : brand;
    const has = (cases: number, type: string, value: string) =>
      random.chance(cases / 100) && {
        [type]: [{ ID: `${crmId}${type.length}`, VALUE_TYPE: 'WORK', VALUE: value, TYPE_ID: type }],
      };
    crm.companies.push({
      ...{ ID: crmId, TITLE: title, ASSIGNED_BY_ID: '338', IS_MY_COMPANY: 'N', OPENED: 'Y' },
      ...{ DATE_CREATE: at.crm(-800), DATE_MODIFY: at.crm(-1 - (Number(crmId) % 300)) },
      ...{ UF_CRM_PLATFORM_ORG_ID: orgId, UF_CRM_COMPANY_ID: orgId, UF_CRM_STORENAME: style < 8 ? brand : '' },
      ...{ UF_CRM_SHOP_OWNER_NAME: owner.name, UF_CRM_SHOP_OWNER_EMAIL: owner.email },
      UF_CRM_SHOP_OWNER_PHONE_NUMBER: random.chance(0.7) ? owner.phone : '',
      ...{ UF_CRM_CURRENT_SHOPPLAN: 'Grow 2024', UF_CRM_1778130421650: random.chance(0.4) ? '15092' : '15090' },
      ...has(60, 'EMAIL', `info@${slug}.example`),
      ...has(75, 'WEB', random.pick([`https://${slug}.example`, `https://www.${slug}.example/`, `${slug}.example`])),
      ...more,
    } as CrmRecord);
    list(owner, crmId);
    if (random.chance(0.6)) list(staff, crmId);
    for (const one of people) list(one, crmId);
  }

  function design(brand = newBrand(), host?: string): Business {
    made += 1;
    const crmId = String(base + made);
    const slug = host ?? `${plain(brand).toLowerCase().replaceAll(' ', '')}${seed % 10}`;
    return {
      ...{ orgId: String(200_500_000_000 + seed * 1_000_003 + made * 7), crmId, brand, slug },
      ...{
        owner: person(`${slug}.example`, random.chance(0.35)),
        staff: person(`${slug}.example`, random.chance(0.15)),
      },
    };
  }

  return {
    newBrand,
    person,
    plain,
    list,
    /** One that the CRM does not have; `write` adds it. */
    design,
    write,
    /** One that the CRM has. */
    make(): Business {
      const business = design();
      write(business);
      return business;
    },
  };
}
