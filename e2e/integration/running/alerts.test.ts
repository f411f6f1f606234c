import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@deskside/testing/needs';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';

const rulesFile = fileURLToPath(new URL('../../../ops/prometheus/alerts.yaml', import.meta.url));

/** Series in promtool's notation, one value a minute from the beginning on: what it is, and what it becomes. */
type Cause = Record<string, string>;

const constant = (value: number) => `${value}x100`;
const growing = (by: number) => `0+${by}x100`;
const lasts = (fault: string): Cause => ({ [`deskside_fault_active{fault="${fault}"}`]: constant(1) });
const noted = (fault: string): Cause => ({ [`deskside_faults_total{fault="${fault}"}`]: growing(1) });
const crm = (outcome: string) => `deskside_crm_request_duration_seconds_count{outcome="${outcome}"}`;
const http = (outcome: string, route = '/x') =>
  `deskside_http_request_duration_seconds_count{route="${route}",outcome="${outcome}"}`;
const decided = (labels: string) => `deskside_routing_decisions_total{${labels}}`;

/** What has each alert fire. */
const causes: Record<string, Cause> = {
  DesksideDown: { 'up{job="deskside"}': constant(0) },
  DesksideFailing: { [http('ok')]: growing(9), [http('failed')]: growing(1) },
  DesksideSlow: Object.fromEntries(
    ['1', '2.5', '5', '+Inf'].map((le, i) => [
      `deskside_http_request_duration_seconds_bucket{route="/api/method/platform_crm_customer_profile",le="${le}"}`,
      growing([1, 2, 9, 9][i] ?? 0),
    ]),
  ),
  DesksideCrmFailing: { [crm('ok')]: growing(1), [crm('timeout')]: growing(2) },
  // A request that has become free and is not taken yet.
  DesksideCrmBudgetEmpty: { 'deskside_crm_budget_left{lane="click"}': '0 0 1 '.repeat(33).trim() },
  DesksideCrmOperatingTime: { 'deskside_crm_operating_seconds{kind="companies"}': constant(400) },
  DesksideWebhookSilent: { deskside_webhook_missed_tickets: constant(3) },
  DesksideInboxLate: { deskside_inbox_oldest_seconds: growing(60) },
  DesksideTicketsWaiting: { deskside_waiting_oldest_seconds: `${3.9 * 3_600}+60x100` },
  DesksideFallbacks: { [decided('fallback="none"')]: growing(2), [decided('fallback="crm"')]: growing(1) },
  DesksideWebhookMissing: {
    [decided('fallback="none",cause="webhook"')]: growing(2),
    [decided('fallback="none",cause="sweep"')]: growing(1),
  },
  DesksideWebhookRefused: { [http('refused', '/webhooks/helpdesk/ticket')]: growing(1) },
  DesksideServiceKeyRefused: lasts('service_key_refused'),
  DesksideServiceAccountLimited: lasts('service_account_limited'),
  DesksideFieldMissing: lasts('helpdesk_field_missing'),
  DesksideHelpdeskUnreachable: lasts('helpdesk_unreachable'),
  DesksideStoreFailing: lasts('store_failing'),
  DesksideCrmKeyRefused: lasts('crm_unauthorized'),
  DesksideCrmBlocked: lasts('crm_operation_limit'),
  DesksideCrmDown: lasts('crm_timeout'),
  DesksideCrmUnusable: { [crm('ok')]: growing(4), [crm('bad_answer')]: growing(5) },
  DesksideTeamMissing: lasts('target_team_missing'),
  DesksideSettingsUnusable: lasts('settings_unusable'),
  DesksideTicketWriteRejected: noted('ticket_write_rejected'),
  DesksideCompanyDataTakenBack: noted('company_data_taken_back'),
  DesksideTicketUnreadable: noted('ticket_unreadable'),
  DesksidePageChanged: noted('helpdesk_page_changed'),
  DesksideBug: noted('uncaught_exception'),
  DesksideRestarting: { 'process_start_time_seconds{job="deskside"}': growing(60) },
  DesksideBusy: { 'nodejs_eventloop_lag_p99_seconds{job="deskside"}': constant(0.6) },
  DesksideMemory: { 'process_resident_memory_bytes{job="deskside"}': constant(450 * 1024 * 1024) },
  DesksideBackupOld: { deskside_backup_age_seconds: `${1.99 * 86_400}+60x100` },
  DesksideCertificateEnds: { deskside_certificate_days: '14.01-0.001x100' },
  DesksideDecisionsLate: Object.fromEntries(
    ['60', '300', '+Inf'].map((le, i) => [
      `deskside_ticket_duration_seconds_bucket{until="decision",le="${le}"}`,
      growing([1, 9, 9][i] ?? 0),
    ]),
  ),
};

/** What else fires by the same cause. */
const others: Record<string, string[]> = { DesksideCrmUnusable: ['DesksideCrmFailing'] };

test('there is a cause for every alert', () => {
  const { groups } = parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: { alert: string }[] }[] };
  expect(Object.keys(causes).sort()).toEqual(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).sort());
});

needs('promtool')('the alert rules', (promtool) => {
  test('each fires by its cause, and no other does', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'deskside-alerts-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'tests.yaml');
    const tests = Object.entries(causes).map(([alert, series]) => ({
      name: alert,
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: '95m',
          exp_samples: [alert, ...(others[alert] ?? [])].map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
        },
      ],
    }));
    writeFileSync(file, stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests }));
    expect(execFileSync(promtool, ['test', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS');
  });
});
