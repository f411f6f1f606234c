import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Generation, HelpdeskSimulator } from './api.ts';
import { shapeDifferences } from './replay/compare.ts';
import { Player } from './replay/player.ts';
import { type Exchange, recordedExchanges } from './replay/recorded.ts';
import { accounts, replaySeed, ticket } from './replay/seed.ts';
import { startHelpdesk } from './server.ts';

/** Everything recorded that the simulator does not do, by generation and position, each with its reason. */
const leftOut: Record<Generation, Record<number, string>> = {
  '1.24': {
    94: 'Webhook Request Log: the sender of webhooks comes later',
    116: 'the recorded site could not render its login page (500); the simulator has one that works',
    127: 'Server Script: a script that is stored but never runs would promise too much; scripts come later',
    128: 'the team in this answer was set by that Server Script',
  },
  '1.28': {},
};

/** Parts of answers that are left out, by the place of the difference. */
const leftOutParts: { place: RegExp; reason: string }[] = [
  {
    place: /^\$\.docs\[0\]\.(note|fields\[\d+\]|issingle|istable|autoname|permissions|read_only)/,
    reason: 'the recorded meta was trimmed by hand',
  },
  { place: /^\$\.message\.views: /, reason: 'View Log: Helpdesk notes who looked at a ticket; nothing here reads it' },
];

/** What happened on the recorded site between two exchanges without being recorded, by position. */
type SetUp = Record<number, (simulator: HelpdeskSimulator, player: Player) => void | Promise<void>>;

const agentA = accounts['agent.a'].name;
const setUp: Record<Generation, SetUp> = {
  '1.24': {
    // The team's native assignment rule gave the ticket to agent.a when its team was set.
    56: (simulator) => {
      const assignment = {
        allocated_to: agentA,
        assigned_by: accounts.service.name,
        assigned_by_full_name: 'Deskside Service',
      };
      const reference = { reference_type: 'HD Ticket', reference_name: '2', date: '2026-11-21' };
      const rule = { description: 'Automatic Assignment', assignment_rule: 'Medium - Scale - Support Rotation' };
      simulator.put('ToDo', {
        name: 't8cv00d2ci',
        status: 'Open',
        priority: 'Medium',
        ...assignment,
        ...reference,
        ...rule,
      });
      amend(simulator, '2', { _assign: JSON.stringify([agentA]) });
    },
    81: (simulator) => {
      amend(simulator, '2', { custom_secret_note: 'again' });
      simulator.settings.restrictTicketsByAgentGroup = true;
    },
    // A session has a CSRF token from its first page on.
    90: async (simulator, player) => {
      simulator.settings.restrictTicketsByAgentGroup = false;
      await fetch(`${simulator.url}/helpdesk/tickets`, { headers: { Cookie: player.session('Administrator') } });
    },
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
    33: (simulator) => {
      const reference = { reference_type: 'HD Ticket', reference_name: '0041', assigned_by: accounts.runtime.name };
      simulator.put('ToDo', {
        name: '0ptoluof79',
        status: 'Open',
        allocated_to: accounts['agent.c'].name,
        ...reference,
      });
    },
    47: async (simulator) => {
      const field = { dt: 'HD Customer', fieldname: 'custom_int_orgid', label: 'Int Orgid', fieldtype: 'Int' };
      await post(simulator, '/api/resource/Custom Field', field);
      const select = { fieldname: 'custom_sel', label: 'Sel', fieldtype: 'Select', options: 'SME\nMedium' };
      await post(simulator, '/api/resource/Custom Field', { ...field, ...select });
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

describe.each<Generation>(['1.24', '1.28'])('recorded exchanges of Helpdesk %s', (generation) => {
  let simulator: HelpdeskSimulator;
  let player: Player;

  beforeAll(async () => {
    const now = (): number => Date.parse('2026-11-20T23:31:00Z');
    simulator = await startHelpdesk({ seed: replaySeed(generation), generation, now });
    player = new Player(simulator);
  });
  afterAll(() => simulator.close());

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
