import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Generation, HelpdeskSimulator } from '#helpdesk/api.ts';
import { startHelpdesk } from '#helpdesk/server.ts';
import { type Receiver, startReceiver } from '#helpdesk/testing/receiver.ts';
import { Player, shapeDifferences } from './testing/replay.ts';
import { accounts, type Exchange, recordedExchanges, replaySeed, ticket } from './testing/replay-seed.ts';

const nothing = 'nothing of ours asks for it';
/** Everything recorded that the simulator does not do, by generation and position, each with its reason. */
const leftOut: Record<Generation, Record<number, string>> = {
  '1.24': {
    107: nothing,
    108: nothing,
    109: nothing,
    110: nothing,
    116: 'the recorded site could not render its login page (500); the simulator has one that works',
    122: nothing,
    123: nothing,
    126: nothing,
  },
  '1.25': { 28: 'how an account without any right is refused, as the guest of 1.28' },
  '1.28': { 21: nothing, 55: 'how a guest is refused; access/shares.test.ts asks for the status' },
};

/** Parts of answers that are left out, by the place of the difference. */
const leftOutParts: { place: RegExp; reason: string }[] = [
  {
    place: /^\$\.docs\[0\]\.(note|fields\[\d+\]|issingle|istable|autoname|allow_rename|permissions|read_only)/,
    reason: 'the recorded meta was trimmed by hand',
  },
  { place: /^\$\.id_token/, reason: nothing },
  { place: /^\$\.data\.idx: string recorded/, reason: 'whether a Single was ever saved before; nothing here reads it' },
  { place: /^\$\.message\.fields/, reason: 'which fields the sender sees; nothing here reads it' },
  { place: /^\$\.message\._seen: /, reason: 'Frappe notes who opened a document; nothing here reads it' },
  { place: /^\$\.message\.views: /, reason: 'View Log: Helpdesk notes who looked at a ticket; nothing here reads it' },
];

/** What happened on the recorded site between two exchanges without being recorded, by position. */
type SetupSteps = Record<number, (simulator: HelpdeskSimulator, player: Player) => void | Promise<void>>;

const setUp: Record<Generation, SetupSteps> = {
  '1.25': {},
  '1.24': {
    81: (simulator) => {
      amend(simulator, '2', { custom_secret_note: 'again' });
      simulator.settings.restrictTicketsByAgentGroup = true;
    },
    // A session has a CSRF token from its first page on.
    90: async (simulator, player) => {
      simulator.settings.restrictTicketsByAgentGroup = false;
      await fetch(`${simulator.url}/helpdesk/tickets`, { headers: { Cookie: player.session('Administrator') } });
    },
    // Two more webhooks were there, one to a receiver that hung and one to a receiver that failed.
    93: (simulator, player) => {
      simulator.settings.webhookPauseScale = 0.001;
      const common = { webhook_doctype: 'HD Ticket', webhook_docevent: 'after_insert', enabled: 1, webhook_json: '{}' };
      const webhook = (path: string) => ({ ...common, request_url: player.substitute(`http://127.0.0.1:8099${path}`) });
      simulator.put('Webhook', { name: 'deskside-boom', ...webhook('/boom') });
      simulator.put('Webhook', { name: 'deskside-hang', ...webhook('/hang'), timeout: 0.05 });
    },
    94: async (simulator) => {
      await simulator.webhooks.idle();
      for (const name of ['deskside-boom', 'deskside-hang']) simulator.put('Webhook', { name, enabled: 0 });
    },
    127: (_simulator, player) => player.signInAnew('Administrator'),
    139: (simulator) => simulator.put('Webhook', { name: 'deskside-x', enabled: 0 }),
    // Eight calls ran at once; some of them lost the race in the database.
    140: (simulator) => {
      simulator.put('HD Ticket', ticket('34'));
      simulator.fault = () => 'deadlock';
    },
    141: (simulator) => {
      simulator.fault = null;
    },
    142: (simulator) => {
      simulator.fault = () => 'deadlock';
    },
    144: (simulator) => {
      simulator.fault = null;
    },
  },
  '1.28': {
    // The migrated site had a field at permission level 1, with rows for agents and System Managers.
    0: async (simulator) => {
      const field = {
        dt: 'HD Ticket',
        fieldname: 'custom_secret_note',
        label: 'Secret note',
        fieldtype: 'Data',
        permlevel: 1,
      };
      await post(simulator, '/api/resource/Custom Field', field);
      const manager = '/api/method/frappe.core.page.permission_manager.permission_manager';
      for (const role of ['Agent', 'System Manager']) {
        await post(simulator, `${manager}.add`, { parent: 'HD Ticket', role, permlevel: 1 });
        for (const ptype of ['read', 'write']) {
          await post(simulator, `${manager}.update`, { doctype: 'HD Ticket', role, permlevel: 1, ptype, value: 1 });
        }
      }
      amend(simulator, '2', { custom_secret_note: 'again' });
    },
    24: (simulator) => {
      simulator.settings.restrictTicketsByAgentGroup = true;
    },
    29: (simulator) => {
      simulator.settings.restrictTicketsByAgentGroup = false;
    },
    47: async (simulator) => {
      const field = { dt: 'HD Customer', fieldname: 'custom_int_orgid', label: 'Int Orgid', fieldtype: 'Int' };
      await post(simulator, '/api/resource/Custom Field', field);
      const select = { fieldname: 'custom_sel', label: 'Sel', fieldtype: 'Select', options: 'SME\nMedium' };
      await post(simulator, '/api/resource/Custom Field', { ...field, ...select });
    },
    // A ticket that the desk made for somebody without a contact.
    49: (simulator) => {
      const owner = accounts['agent.a'].name;
      simulator.put(
        'HD Ticket',
        ticket('0051', { owner, raised_by: 'other@example.test', contact: null, customer: null }),
      );
    },
  },
};

function amend(simulator: HelpdeskSimulator, name: string, values: Record<string, unknown>): void {
  simulator.put('HD Ticket', { name, ...simulator.document('HD Ticket', name), ...values });
}

async function post(simulator: HelpdeskSimulator, path: string, body: unknown): Promise<void> {
  const { apiKey, apiSecret } = accounts.service;
  const headers = { Authorization: `token ${apiKey}:${apiSecret}`, 'Content-Type': 'application/json' };
  const response = await fetch(simulator.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status, await response.text()).toBe(200);
}

function excType(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>).exc_type : undefined;
}

/** Host and path of a redirect, and the names of its parameters. */
function redirectShape(location: string | null | undefined, host: string): string {
  if (!location) return '';
  const url = new URL(location, 'http://site');
  const own = location.replaceAll(encodeURIComponent(host), '').replaceAll(host, '');
  return `${new URL(own, 'http://site').origin}${url.pathname}?${[...url.searchParams.keys()].join('&')}`;
}

describe.each<Generation>(['1.24', '1.25', '1.28'])('recorded exchanges of Helpdesk %s', (generation) => {
  let simulator: HelpdeskSimulator;
  let player: Player;
  let receiver: Receiver;

  beforeAll(async () => {
    const now = (): number => Date.parse('2026-11-20T23:31:00Z');
    simulator = await startHelpdesk({ seed: replaySeed(generation), generation, now });
    player = new Player(simulator);
    receiver = await startReceiver(({ path }) => {
      if (path === '/hang') return 'hang';
      return path === '/boom' ? { status: 500 } : { status: 200, body: '{"agent_group":"CS 60p"}' };
    });
    player.replace('http://127.0.0.1:8099', receiver.url);
  });
  afterAll(async () => {
    await simulator.close();
    await receiver.close();
  });

  const exchanges = recordedExchanges(generation).map((exchange, index): [number, string, Exchange] => [
    index,
    exchange.name,
    exchange,
  ]);

  it.each(exchanges.filter(([index]) => leftOut[generation][index] === undefined))(
    '%i %s is answered with the recorded status, exc_type, keys and kinds of values',
    async (index, _name, exchange) => {
      await setUp[generation][index]?.(simulator, player);
      const played = await player.play(exchange);
      expect.soft(played.status, JSON.stringify(played.body).slice(0, 600)).toBe(exchange.response.status);
      expect.soft(excType(played.body)).toBe(excType(exchange.response.body));
      const location = exchange.response.headers.Location;
      expect
        .soft(redirectShape(played.headers.get('location'), simulator.url))
        .toBe(redirectShape(location, 'http://helpdesk.test:8000'));
      const differences = shapeDifferences(exchange.response.body, played.body);
      expect(differences.filter((text) => !leftOutParts.some(({ place }) => place.test(text)))).toEqual([]);
    },
  );
});
