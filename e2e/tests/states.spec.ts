import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { DemoWorld } from '../demo/world.ts';
import { expect, test } from './setup/fixtures.ts';
import type { Gateway } from './setup/gateway.ts';
import { alsoOnPhone, expectAccessible, keepPicture, looksOfPanel } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';

const { tickets } = demo;

interface State {
  /** Each state has a ticket of its own: nothing that was seen of it before is on screen. */
  ticket: string;
  /** What has to be the case before the ticket is shown. */
  given?: (world: DemoWorld, gateway: Gateway) => Promise<void> | void;
  /** What becomes the case while the panel is open. */
  whileOpen?: (panel: PanelPage) => Promise<void>;
  /** Words that the panel must show. */
  says: (t: Texts) => string | readonly string[];
  /** Ends what was given, for the next state. */
  undo?: (world: DemoWorld, panel: PanelPage) => Promise<void> | void;
}

type Texts = ReturnType<typeof textsFor>;

/** Besides the situations (situations.spec.ts), in this order: what else may be answered, and what can keep a profile away. */
const states: Record<string, State> = {
  signed_out: {
    ticket: tickets.matched,
    given: (world) => world.allowSignIn(['System Manager']),
    says: (t) => t.failures.code.signed_out.title,
    undo: async (world, panel) => {
      world.allowSignIn(['Agent', 'Agent Manager']);
      await panel.rail.getByRole('button', { name: textsFor(panel.language).shell.signIn }).click();
      await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
    },
  },
  ticket_not_readable: {
    ticket: tickets.restrictedTeam,
    given: ({ helpdesk }) => {
      const ticket = helpdesk.document('HD Ticket', tickets.restrictedTeam);
      // A team that the agent is not in.
      if (ticket) helpdesk.put('HD Ticket', { ...ticket, agent_group: 'Medium - Grow' });
      helpdesk.settings.restrictTicketsByAgentGroup = true;
    },
    says: (t) => t.failures.code.ticket_not_readable.title,
    undo: ({ helpdesk }) => {
      helpdesk.settings.restrictTicketsByAgentGroup = false;
    },
  },
  offline: {
    ticket: tickets.responsibleSet,
    whileOpen: async (panel) => {
      await panel.page.context().setOffline(true);
      await panel.refreshButton.click();
    },
    says: (t) => t.steps.offline,
    undo: (_, panel) => panel.page.context().setOffline(false),
  },
  helpdesk_unavailable: {
    ticket: tickets.nearMidnight,
    given: (world) => {
      world.helpdesk.fault = ({ path }) => (path.endsWith('/HD Ticket') ? 503 : null);
    },
    says: (t) => t.failures.code.helpdesk_unavailable.title,
    undo: (world) => {
      world.helpdesk.fault = null;
    },
  },
  extra_fields: {
    ticket: tickets.extraFields,
    says: ({ fields: { groups } }) => [
      ...[groups.metrics, 'GMV 30 ngày', groups.profit, 'Biên lợi nhuận (%)', groups.context, 'Kênh bán'],
    ],
  },
  hostile_text: { ticket: tickets.hostileText, says: () => '<script>alert("crm")</script>' },
  right_to_left: { ticket: tickets.rightToLeft, says: () => 'متجر الشاي' },
  ticket_not_found: { ticket: '999999', says: (t) => t.failures.code.ticket_not_found.title },
  unreachable: {
    ticket: tickets.confirmed,
    given: (_, gateway) => gateway.close(),
    says: (t) => t.failures.code.unreachable.title,
  },
};

for (const look of looksOfPanel) {
  const { generation, language } = look;

  test.describe(`Helpdesk ${generation}, ${language}, without a token`, () => {
    test.use({ generation, language, hasToken: false });

    test('whatever is answered, and whatever keeps it away: the panel says what is the case, and axe finds nothing', async ({
      world,
      gateway,
      panel,
    }) => {
      for (const [name, state] of Object.entries(states)) {
        await test.step(name, async () => {
          await state.given?.(world, gateway);
          await panel.show(state.ticket);
          await state.whileOpen?.(panel);
          for (const words of [state.says(textsFor(language))].flat()) await expect(panel.rail).toContainText(words);
          await panel.settled();
          await expectAccessible(panel, look, name, alsoOnPhone);
          await state.undo?.(world, panel);
        });
      }
    });
  });
}

test.describe('an account that is no agent', () => {
  test.use({ signedInAs: demo.administrator.name });

  test('is told so', async ({ panel, world: _world }) => {
    await panel.open(tickets.matched);
    await expect(panel.rail).toContainText(textsFor('en').failures.code.not_an_agent.title);
    await keepPicture(panel, '1.28-light-en-not_an_agent');
  });
});
