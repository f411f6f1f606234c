/** Names of mailboxes that machines send from, and that nobody reads (decision 7: who vouches); with a tag, too. */
const machines = /^(?:no-?reply|mailer-daemon)(?:[+._-].*)?$/;

/**
 * Whether an address, in lower case, is one from which a machine writes for many: a form's or a mail server's. What is said of
 * it on one ticket counts for no other.
 */
export function isNoReply(address: string): boolean {
  return machines.test(address.slice(0, address.indexOf('@')));
}
