import type { ClaimsMode } from '@deskside/shared/routing';
import type { Config } from '#config.ts';
import { type HelpdeskAdmin, isOn } from '#helpdesk/admin.ts';
import { unless } from '#helpdesk/errors.ts';
import type { Item } from '#setup/items.ts';
import { type CheckInput, listed, ok, type Remark } from '#setup/report.ts';
import type { ProvisionRun } from './need.ts';

// What claims are worth, by who may come in unasked (decision 9: claims), and the other rule that setup writes.

/** What a mode of claims does with an org id that only the sender of a ticket vouches for, and why (decision 9: claims). */
const claimsMeaning: Record<ClaimsMode, string> = {
  accept:
    'an org id that only the sender of a ticket vouches for links the ticket, as specified, and the sender reads on it whose the org id is',
  hold: 'an org id that only the sender of a ticket vouches for decides the team and links no ticket, although the specification asks for that: whoever types the one of another company would read whose it is',
};

/** Who may write to the helpdesk unasked: null, what this key may not know. */
interface Openness {
  signUp: boolean | null;
  /** Whether anybody may make tickets without signing up, which every visitor reads (docs/helpdesk.md#senders). */
  guestTickets: boolean | null;
}

/** What closes it, as the beginning of a sentence. */
function howToClose({ signUp, guestTickets }: Openness): string {
  const steps = [
    ...(signUp === false ? [] : ['switch sign-up off (Website Settings, "Disable signups")']),
    ...(guestTickets === false ? [] : ['switch guest tickets off (HD Settings, "Allow anyone to create tickets")']),
  ].join(' and ');
  return `${steps.charAt(0).toUpperCase()}${steps.slice(1)}`;
}

/** Who may sign up, and make tickets without, in sentences. */
function whoComesIn({ signUp, guestTickets }: Openness): string {
  const bySignUp =
    signUp === null
      ? 'Whether anybody may sign up at the helpdesk cannot be seen.'
      : signUp
        ? 'Anybody may sign up at the helpdesk.'
        : 'Nobody may sign up at the helpdesk by themselves.';
  if (guestTickets === false) return bySignUp;
  const byGuests = guestTickets
    ? 'Anybody may create tickets without an account, and every visitor reads those.'
    : 'Whether anybody may create tickets without an account cannot be seen.';
  return `${bySignUp} ${byGuests}`;
}

/** Whether the helpdesk lets anybody sign up, and create tickets as a guest (docs/helpdesk.md#permissions). Throws HelpdeskError. */
async function readOpenness(admin: HelpdeskAdmin): Promise<Openness> {
  const [website, helpdesk] = await Promise.all(
    ['Website Settings', 'HD Settings'].map((name) => admin.get(name, name).catch(unless(['forbidden'], null))),
  );
  return {
    signUp: website ? !isOn(website.disable_signup) : null,
    guestTickets: helpdesk ? isOn(helpdesk.allow_anyone_to_create_tickets) : null,
  };
}

/** Whether nobody from outside can make tickets whose senders nobody has asked in. */
const isClosed = ({ signUp, guestTickets }: Openness) => signUp === false && guestTickets === false;

/** What a mode is worth where these may come in, and how it is changed. */
function worthOf(mode: ClaimsMode, openness: Openness): Remark {
  const isOpen = openness.signUp === true || openness.guestTickets === true;
  const isGiven = isOpen && mode === 'accept';
  const meaning = isGiven
    ? 'Claims are accepted all the same: whoever types an org id reads whose it is.'
    : `So claims is ${mode}: ${claimsMeaning[mode]}.`;
  const change = `deskside provision --claims ${mode === 'accept' ? 'hold' : 'accept'} changes that.`;
  return {
    level: isClosed(openness) ? 'ok' : isOpen ? 'warning' : 'unchecked',
    text: `${whoComesIn(openness)} ${meaning}`,
    todo: isOpen ? `${howToClose(openness)}${isGiven ? ', or' : '; then'} ${change}` : change,
  };
}

/**
 * The rule of claims: what was given, else, where nobody has chosen yet, what who may come in asks for; and what the operator
 * should know of it: what was chosen, what it means and how to change it, in one line.
 */
export async function planClaims({ own, admin }: ProvisionRun): Promise<Item[]> {
  const openness = await readOpenness(admin);
  const { given, chosen } = own.claims;
  const wanted = given ?? chosen ?? (isClosed(openness) ? 'accept' : 'hold');
  const { level, text, todo } = worthOf(wanted, openness);
  const isTold = (given === null && chosen === null) || (wanted === 'accept' && level === 'warning');
  const warning = isTold ? `${text} ${todo}` : undefined;
  const what = 'Rule claims';
  if (wanted === chosen) return [{ what, state: 'exists', detail: wanted, warning }];
  const make = async () => own.keepRules({ claims: wanted });
  const detail = chosen === null ? wanted : `${chosen} becomes ${wanted}`;
  return [{ what, state: chosen === null ? 'create' : 'change', detail, make, warning }];
}

/** What claims are worth, and whether strangers can make use of it. */
export async function checkClaims({ config }: CheckInput, admin: HelpdeskAdmin): Promise<Remark> {
  const worth = worthOf(config.rules.claims, await readOpenness(admin));
  return worth.level === 'ok' ? ok(worth.text) : worth;
}

/** The rule of the platform's hosts, where somebody was asked; and that shops are not found by their domain while it names none. */
export function planPlatformHosts({ own }: ProvisionRun): Item[] {
  const { given, chosen } = own.platformHosts;
  const hosts = given ?? chosen ?? [];
  const what = 'Rule platform_hosts';
  const detail = hosts.length === 0 ? 'none' : hosts.join(', ');
  const warning = hosts.length === 0 ? aboutDomains(hosts) : undefined;
  if (given === null) return [{ what, state: 'exists', detail, warning }];
  return [{ what, state: 'create', detail, make: async () => own.keepRules({ platform_hosts: hosts }), warning }];
}

/** Whether shops are found by their domain, and how that is switched on. */
export function aboutDomains(hosts: Config['rules']['platform_hosts']): string {
  return hosts.length === 0
    ? 'Intake by a shop’s domain is off: "platform_hosts" in rules.json, such as ["myplatform.example"], switches it on.'
    : `Shops are found by their domain under ${listed(hosts)} ("platform_hosts" in the rules).`;
}
