import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { World, WorldOptions } from '../demo/world.ts';
import { keyOf } from '../integration/key-of.ts';
import { expect, test } from './setup/fixtures.ts';
import type { Gateway } from './setup/gateway.ts';
import { expectAccessible, keepOnPhone, keepPicture, looksOfPanel } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';

const { tickets } = demo;

interface State {
  /** Each state has a ticket of its own: nothing that was seen of it before is on screen. */
  ticket: string;
  /** How the proxy is set up that answers, which then knows nothing yet; without it, the one that answers always. */
  environment?: NonNullable<WorldOptions['environment']>;
  /** What has to be the case before the ticket is shown. */
  given?: (world: World, gateway: Gateway) => Promise<void> | void;
  /** What becomes the case while the panel is open. */
  whileOpen?: (panel: PanelPage) => Promise<void>;
  /** Words that the panel must show. */
  says: (t: Texts) => string | readonly string[];
  /** Ends what was given, for the next state. */
  undo?: (world: World, panel: PanelPage) => Promise<void> | void;
}

type Texts = ReturnType<typeof textsFor>;

/** Has the proxy know the ticket's company, as after somebody else has opened it. */
const openBefore = (ticket: string) => async (world: World) => {
  await fetch(`${world.proxyUrl}/api/method/platform_crm_customer_profile?ticket=${ticket}`, {
    headers: { authorization: keyOf(demo.agent) },
  });
};

/** Makes a ticket one like `tickets.matched`. */
const likeMatched =
  (ticket: string, changes: object = {}) =>
  ({ helpdesk }: World) =>
    helpdesk.put('HD Ticket', { ...helpdesk.document('HD Ticket', tickets.matched), ...changes, name: ticket });

/** What the helpdesk's customer keeps of the CRM's last answer. */
const storedOnCustomer = ({ fields }: Texts) => [
  fields.segment,
  'OMNI SCALE',
  fields.fromHelpdesk,
  fields.lastSynced,
  fields.lastChecked,
];

/** Which status the CRM look-up has, and what the panel says of the company. */
const answers: Record<string, State> = {
  matched: { ticket: tickets.matched, says: (t) => t.shell.fromCrm(null) },
  missing_orgid: { ticket: tickets.missingOrgId, says: (t) => [t.crm.notLinked, t.shell.searched] },
  not_found: { ticket: tickets.notFound, says: (t) => t.crm.notFound('1999999999') },
  likely: {
    ticket: tickets.likelyByCrmEmail,
    says: (t) => t.trust.tag.likely,
  },
  claimed: {
    ticket: tickets.claimed,
    says: (t) => [t.trust.tag.claimed, t.trust.reason.sender_not_of_company],
  },
  plan_expired: { ticket: tickets.planExpired, says: (t) => t.steps.planEnded('').trim() },
  plan_expiring_soon: { ticket: tickets.planExpiringSoon, says: (t) => t.steps.planEnds('18') },
  several_companies: { ticket: tickets.newerOfTwo, says: () => 'Mỹ Phẩm Sen Đá' },
  also_named: {
    ticket: tickets.planWithoutEnd,
    given: likeMatched(tickets.planWithoutEnd, { custom_orgid: '1000391001' }),
    says: (t) => t.steps.choose,
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
  error_with_old_data: {
    ticket: tickets.confirmed,
    given: async (world) => {
      await openBefore(tickets.confirmed)(world);
      world.crm.fault = 'server_error';
    },
    says: (t) => t.crm.error.server_error,
  },
};

/** What can keep a profile, or a part of it, away. */
const obstacles: Record<string, State> = {
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
  cached: {
    ticket: tickets.planExpired,
    given: async (world) => {
      likeMatched(tickets.planExpired)(world);
      await openBefore(tickets.planExpired)(world);
    },
    says: (t) => t.shell.fromCrm(null),
  },
  disabled: {
    ticket: tickets.planExpiringSoon,
    environment: { CRM_ENABLED: '0' },
    given: likeMatched(tickets.planExpiringSoon),
    says: (t) => [t.crm.disabled, ...storedOnCustomer(t)],
  },
  missing_config: {
    ticket: tickets.planEndsToday,
    environment: { CRM_WEBHOOK_URL: undefined, CRM_RESPONSIBLE_WEBHOOK_URL: undefined },
    given: likeMatched(tickets.planEndsToday),
    says: (t) => [t.crm.missingConfig, ...storedOnCustomer(t)],
  },
  error: {
    ticket: tickets.planWithoutEnd,
    environment: {},
    given: (world) => {
      likeMatched(tickets.planWithoutEnd)(world);
      world.crm.fault = 'unauthorized';
    },
    says: (t) => [t.crm.error.unauthorized, ...storedOnCustomer(t)],
    undo: (world) => {
      world.crm.fault = null;
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
  unreachable: {
    ticket: tickets.confirmed,
    given: (_, gateway) => gateway.close(),
    says: (t) => t.failures.code.unreachable.title,
  },
};

for (const look of looksOfPanel) {
  const { generation, language } = look;

  /** Shows one state after the other on one page, each on a ticket of its own. */
  async function expectStates(
    states: Record<string, State>,
    { world, gateway, panel }: { world: World; gateway: Gateway; panel: PanelPage },
  ): Promise<void> {
    for (const [name, state] of Object.entries(states)) {
      await test.step(name, async () => {
        gateway.target = state.environment ? await world.startAnotherProxy(state.environment) : world.proxyUrl;
        await state.given?.(world, gateway);
        await panel.show(state.ticket);
        await state.whileOpen?.(panel);
        for (const words of [state.says(textsFor(language))].flat()) await expect(panel.rail).toContainText(words);
        await panel.settled();
        await expectAccessible(panel, look, name);
        await keepOnPhone(panel, look, name);
        await state.undo?.(world, panel);
      });
    }
  }

  test.describe(`Helpdesk ${generation}, ${language}`, () => {
    test.use({ generation, language });

    test.describe('with a CRM that is asked each time', () => {
      test.use({ environment: { CRM_REFRESH_TTL_MINUTES: '0' } });

      test('every answer: the panel says what is the case, and axe finds nothing', async ({
        world,
        gateway,
        panel,
      }) => {
        await expectStates(answers, { world, gateway, panel });
      });
    });

    test.describe('without a token', () => {
      test.use({ hasToken: false });

      test('everything that keeps a profile away: the panel says what is the case, and axe finds nothing', async ({
        world,
        gateway,
        panel,
      }) => {
        await expectStates(obstacles, { world, gateway, panel });
      });
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
