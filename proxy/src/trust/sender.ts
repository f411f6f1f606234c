import { isPublicMailDomain } from './mail-domains.ts';

/** Who raised a ticket, as our own records know them: the address in lower case; null for none, and for a guest, who is anybody. */
export function senderAddress({ raisedBy }: { raisedBy: string | null }): string | null {
  const address = raisedBy?.trim().toLowerCase() || null;
  return address === 'guest' ? null : address;
}

/** The domain of an address if it says something about whose it is; null where anybody can have one. */
export function telltaleDomain(address: string): string | null {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return address.includes('@') && domain !== '' && !isPublicMailDomain(domain) ? domain : null;
}
