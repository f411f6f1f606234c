import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import type { World, WorldOptions } from '../demo/world.ts';
import { keyOf } from '../integration/key-of.ts';
import { expect, test } from './setup/fixtures.ts';
import type { Gateway } from './setup/gateway.ts';
import { expectAccessible, keepPicture, looks } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';

const { tickets } = demo;

interface State {
  ticket: string;
  environment?: WorldOptions['environment'];
  signedInAs?: string;
  /** What has to be the case before the panel is opened. */
  given?: (world: World, gateway: Gateway, page: Page) => Promise<void> | void;
  /** What becomes the case while the panel is open. */
  whileOpen?: (panel: PanelPage, world: World) => Promise<void>;
  /** Words that the panel must show. */
  says: (t: ReturnType<typeof textsFor>) => string | readonly string[];
}

const openBefore = async (world: World) => {
  await fetch(`${world.proxyUrl}/api/method/platform_crm_customer_profile?ticket=${tickets.matched}`, {
    headers: { authorization: keyOf(demo.agent) },
  });
};

/** What the helpdesk's customer keeps of the CRM's last answer. */
const storedOnCustomer = ({ fields }: ReturnType<typeof textsFor>) => [
  fields.segment,
  'OMNI SCALE 2025 (1 năm)',
  fields.syncedAs('matched'),
  fields.lastSynced,
  fields.lastChecked,
];

/** Every state that the panel can be in: the seven statuses of the CRM look-up, then what can keep a profile away. */
const states: Record<string, State> = {
  matched: { ticket: tickets.matched, environment: { CRM_REFRESH_TTL_MINUTES: '0' }, says: (t) => t.shell.fromCrm },
  cached: { ticket: tickets.matched, given: openBefore, says: (t) => t.shell.fromCopy },
  missing_orgid: { ticket: tickets.missingOrgId, says: (t) => t.crm.missingOrgid.title },
  not_found: { ticket: tickets.notFound, says: (t) => t.crm.notFound('').title },
  disabled: {
    ticket: tickets.matched,
    environment: { CRM_ENABLED: '0' },
    says: (t) => [t.crm.disabled.title, ...storedOnCustomer(t)],
  },
  missing_config: {
    ticket: tickets.matched,
    environment: { CRM_WEBHOOK_URL: undefined, CRM_RESPONSIBLE_WEBHOOK_URL: undefined },
    says: (t) => [t.crm.missingConfig.title, ...storedOnCustomer(t)],
  },
  error: {
    ticket: tickets.matched,
    given: (world) => {
      world.crm.fault = 'unauthorized';
    },
    says: (t) => [t.crm.error.unauthorized.title, ...storedOnCustomer(t)],
  },
  error_with_old_data: {
    ticket: tickets.matched,
    environment: { CRM_REFRESH_TTL_MINUTES: '0' },
    given: async (world) => {
      await openBefore(world);
      world.crm.fault = 'server_error';
    },
    says: (t) => t.crm.error.server_error.title,
  },
  likely: { ticket: tickets.likelyByCrmEmail, says: (t) => t.trust.tag.likely },
  claimed: { ticket: tickets.claimed, says: (t) => t.trust.tag.claimed },
  plan_expired: { ticket: tickets.planExpired, says: (t) => t.fields.planStatus.expired },
  plan_expiring_soon: { ticket: tickets.planExpiringSoon, says: (t) => t.fields.planStatus.expiring_soon },
  several_companies: { ticket: tickets.newerOfTwo, says: () => 'Mỹ Phẩm Sen Đá' },
  also_named: {
    ticket: tickets.matched,
    given: ({ helpdesk }) => {
      const ticket = helpdesk.document('HD Ticket', tickets.matched);
      if (ticket) helpdesk.put('HD Ticket', { ...ticket, custom_orgid: '1000391001' });
    },
    says: (t) => t.fields.companies(2),
  },
  extra_fields: {
    ticket: tickets.extraFields,
    says: ({ fields: { sections } }) => [
      'GMV 30 ngày',
      sections.profit,
      'Biên lợi nhuận (%)',
      sections.context,
      'Kênh bán',
    ],
  },
  hostile_text: { ticket: tickets.hostileText, says: () => '<script>alert("crm")</script>' },
  right_to_left: { ticket: tickets.rightToLeft, says: () => 'متجر الشاي' },
  signed_out: {
    ticket: tickets.matched,
    given: (world) => world.allowSignIn(['System Manager']),
    says: (t) => t.failures.code.signed_out.title,
  },
  ticket_not_readable: {
    ticket: tickets.restrictedTeam,
    signedInAs: demo.otherAgent.name,
    given: (world) => {
      world.helpdesk.settings.restrictTicketsByAgentGroup = true;
    },
    says: (t) => t.failures.code.ticket_not_readable.title,
  },
  ticket_not_found: { ticket: '999999', says: (t) => t.failures.code.ticket_not_found.title },
  unreachable: {
    ticket: tickets.matched,
    given: (_, gateway) => gateway.close(),
    says: (t) => t.failures.code.unreachable.title,
  },
  helpdesk_unavailable: {
    ticket: tickets.matched,
    given: (world) => {
      world.helpdesk.fault = ({ path }) => (path.endsWith('/HD Ticket') ? 503 : null);
    },
    says: (t) => t.failures.code.helpdesk_unavailable.title,
  },
  offline: {
    ticket: tickets.matched,
    whileOpen: async (panel) => {
      await panel.page.context().setOffline(true);
      await panel.refreshButton.click();
    },
    says: (t) => t.shell.offlineNote,
  },
};

/** These differ by their ticket alone, so that one page shows one after the other. */
const byTicket = Object.entries(states).filter(([, { environment, signedInAs, given, whileOpen }]) => {
  return !(environment || signedInAs || given || whileOpen);
});
const alone = Object.entries(states).filter((entry) => !byTicket.some(([name]) => name === entry[0]));

for (const look of looks) {
  const { generation, language } = look;
  const expectState = async (panel: PanelPage, name: string, { says }: State) => {
    for (const words of [says(textsFor(language))].flat()) await expect(panel.dialog).toContainText(words);
    await panel.settled();
    await expectAccessible(panel, look, name);
  };

  test.describe(`Helpdesk ${generation}, ${language}`, () => {
    test.use({ generation, language });

    test('every ticket: the panel says what is the case, and axe finds nothing', async ({
      panel,
      gateway: _gateway,
    }) => {
      test.setTimeout(180_000);
      await panel.open(tickets.matched);
      for (const [name, state] of byTicket) {
        await test.step(name, async () => {
          await panel.switchTheme('light');
          await panel.moveTo(state.ticket);
          await expect(panel.dialog).toContainText(`#${state.ticket}`);
          await expectState(panel, name, state);
        });
      }
    });

    for (const [name, state] of alone) {
      test.describe(() => {
        test.use({ environment: state.environment ?? {}, signedInAs: state.signedInAs ?? demo.agent.name });

        test(`${name}: says what is the case, and axe finds nothing`, async ({ world, gateway, page, panel }) => {
          await state.given?.(world, gateway, page);
          await panel.open(state.ticket);
          await state.whileOpen?.(panel, world);
          await expectState(panel, name, state);
        });
      });
    }
  });
}

test.describe('an account that is no agent', () => {
  test.use({ signedInAs: demo.administrator.name });

  test('is told so', async ({ panel, world: _world }) => {
    await panel.open(tickets.matched);
    await expect(panel.dialog).toContainText(textsFor('en').failures.code.not_an_agent.title);
    await keepPicture(panel, '1.28-light-en-not_an_agent');
  });
});
