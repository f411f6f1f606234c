import domains from 'free-email-domains/domains.json' with { type: 'json' };

const known: ReadonlySet<string> = new Set(domains);

/** Whether anybody can have an address there, so that two senders with it need not know each other. In lower case. */
export function isPublicMailDomain(domain: string): boolean {
  return known.has(domain);
}
