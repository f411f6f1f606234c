import { isRecord, jsonOf } from '@deskside/shared/json';
import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import { publicHost } from './guarded-fetch.ts';

/** What a meta.json says about its shop. Domains are host names in lower case, the platform's own first. */
export interface ShopMeta {
  orgId: OrgId | null;
  domains: string[];
  name: string | null;
}

type Fields = Record<string, unknown>;

const orgIdKeys = ['id', 'shop_id', 'orgid', 'org_id'];
/** A shop has a few; a longer list is someone's prank. */
const maxDomains = 10;
const maxNameLength = 140;

/**
 * Reads a meta.json, whose shape is not documented anywhere (docs/routing.md#metajson): the shop's details are at the
 * top level or under `shop`. Null unless the text is a JSON object.
 */
export function parseMeta(text: string): ShopMeta | null {
  const top = jsonOf(text);
  if (!isRecord(top)) return null;
  const shop = isRecord(top.shop) ? top.shop : {};
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

/** The host of a domain or an address, with or without scheme. Null if it is not one, or not public by its name. */
function hostOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.includes('@')) return null;
  const address = value.trim();
  const url = URL.parse(/^(https?:)?\/\//i.test(address) ? address : `https://${address}`, 'https://x');
  return url && publicHost(url);
}

function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  // Text in an encoding other than UTF-8 is better left out than shown garbled.
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
