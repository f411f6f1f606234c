import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import { publicHost } from '../../net/public-host.ts';

/** What a meta.json says of its shop. Domains are host names in lower case, the platform's own first. */
export interface ShopMeta {
  orgId: OrgId | null;
  domains: string[];
  name: string | null;
}

type Fields = Record<string, unknown>;

const orgIdKeys = ['id', 'shop_id', 'orgid', 'org_id'];
/** A shop has a few; a longer list is somebody's game. */
const maxDomains = 10;
const maxNameLength = 140;

/**
 * Reads a meta.json, whose shape nobody documents (facts/domain.md section 3): what it says of the shop stands at the
 * top or under `shop`. Null when the text is not a JSON object.
 */
export function parseMeta(text: string): ShopMeta | null {
  const top = asFields(parseJson(text));
  if (top === null) return null;
  const shop = asFields(top.shop) ?? {};
  return {
    orgId: first([top, shop], orgIdKeys, parseOrgId),
    domains: domainsOf([top, shop]),
    name: first([top, shop], ['name'], nameOf),
  };
}

function domainsOf(places: Fields[]): string[] {
  const platform = places.flatMap((fields) => Object.keys(fields).filter((key) => key.endsWith('_domain')));
  const domains = new Set<string>();
  for (const key of [...platform, 'domain', 'url']) {
    for (const fields of places) {
      const host = hostOf(fields[key]);
      if (host !== null) domains.add(host);
    }
  }
  return [...domains].slice(0, maxDomains);
}

/** The host of a domain or an address, with or without scheme. Null for what is not one, or not public by its name. */
function hostOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.includes('@')) return null;
  const address = value.trim();
  const url = URL.parse(/^(https?:)?\/\//i.test(address) ? address : `https://${address}`, 'https://x');
  return url && publicHost(url);
}

function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  // A text in another encoding than UTF-8 is better left out than shown broken.
  return name === '' || name.length > maxNameLength || name.includes('\ufffd') ? null : name;
}

function first<T>(places: Fields[], keys: string[], read: (value: unknown) => T | null): T | null {
  for (const fields of places) {
    for (const key of keys) {
      const value = read(fields[key]);
      if (value !== null) return value;
    }
  }
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}
