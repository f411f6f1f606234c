import { Command } from 'commander';
import { type Config, parseConfig, secretsOf } from '#config.ts';
import { maskSecrets } from '#crm/rest.ts';
import { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { serviceKeyOf, withServiceKeys } from '#helpdesk/credentials.ts';
import { HelpdeskError, helpdeskProblem } from '#helpdesk/errors.ts';
import { type Egress, withEgress } from '#net/egress.ts';
import { withDeadline } from '#runtime/concurrency.ts';
import { createRedactor } from '#runtime/log.ts';
import { noSuchTeam } from '#setup/needs/teams.ts';
import {
  type CheckReport,
  type Findings,
  isHealthy,
  ok,
  printReport,
  type Remark,
  run,
  warning,
} from '#setup/report.ts';
import { askThrough } from './crm.ts';

/** Whoever reloads waits for it. */
const answerWithinMs = 5_000;

/** `deskside check`: whether the files would do, which `systemctl reload` finds out before the service is told of them. */
export function checkCommand(): Command {
  return new Command('check')
    .description('Check the files of settings and rules before the service reads them again; changes nothing')
    .addHelpText(
      'after',
      '\nExits with 1 if a file is wrong, a key is refused, or a team of the rules is not there. What does not answer within 5 s is a warning: the change may be what mends it.',
    )
    .action(async () => {
      const report = await checkSettings(parseConfig(process.env));
      // Who has not answered by now is not waited for.
      process.stdout.write(`${printReport(report)}\n`, () => process.exit(isHealthy(report) ? 0 : 1));
    });
}

/** What helpdesk and CRM say of the settings. Only what is certain is a fault. */
export async function checkSettings(config: Config, withinMs = answerWithinMs): Promise<CheckReport[]> {
  const redact = createRedactor(secretsOf(config), maskSecrets);
  const report = await withEgress(config, (egress) => {
    const upstream = egress.upstream(config.HELPDESK_URL, { timeoutMs: withinMs, maxConnections: 4 });
    const service = new HelpdeskAdmin(withServiceKeys(config, upstream), serviceKeyOf(config));
    const asked = { Helpdesk: helpdesk(config, service), CRM: crm(config, egress, withinMs) };
    return Promise.all(
      Object.entries(asked).map(async ([check, findings]) => {
        const checked = await withDeadline(run(check, findings), withinMs);
        return checked === 'timeout' ? { check, said: [late(check, withinMs)] } : checked;
      }),
    );
  });
  return report.map(({ check, said }) => ({ check, said: said.map((one) => ({ ...one, text: redact(one.text) })) }));
}

const late = (what: string, withinMs: number): Remark =>
  warning(`The ${what === 'CRM' ? what : 'helpdesk'} has not answered within ${withinMs / 1_000} s.`, '');

async function* helpdesk({ rules }: Config, service: HelpdeskAdmin): Findings {
  try {
    await service.caller();
    for (const name of new Set(Object.values(rules.teams)))
      if ((await service.get('HD Team', name)) === null) yield noSuchTeam(name);
    return ok('It knows the key, and has all teams of the rules.');
  } catch (error) {
    const said = helpdeskProblem(error);
    const isRefused = error instanceof HelpdeskError && error.kind === 'unauthenticated';
    return { level: isRefused ? 'fault' : 'warning', ...said };
  }
}

async function crm(config: Config, egress: Egress, withinMs: number): Promise<Remark> {
  const ask = config.CRM_ENABLED ? askThrough('CRM_WEBHOOK_URL', config, egress, withinMs) : null;
  if (ask === null) return ok('None is to be asked.');
  const answer = await ask('crm.company.list', { select: ['ID'], start: -1 });
  if (answer.ok) return ok('It accepts the webhook.');
  const isRefused = answer.code === 'unauthorized' || answer.code === 'insufficient_scope';
  return isRefused ? answer.said : { ...answer.said, level: 'warning' };
}
