import { type AreaReport, type DoctorFinding, finding } from '#setup/doctor/finding.ts';

/** How far each server's clock is ahead of ours, in milliseconds; null if unknown. */
export interface ClockFacts {
  helpdesk: number | null;
  crm: number | null;
}

const tolerance = 60_000;

/** Reports clocks more than a minute apart. If both servers differ in the same way, ours is the wrong one. */
export function judgeClocks({ helpdesk, crm }: ClockFacts): AreaReport {
  const area = 'Clocks';
  const known = [helpdesk, crm].filter((ahead) => ahead !== null);
  if (known.length === 0)
    return { area, findings: [], passed: [], unchecked: ['Neither the helpdesk nor the CRM reported its time.'] };
  const synchronise = 'Synchronise its clock (NTP); "timedatectl" shows whether it is.';
  let findings: DoctorFinding[];
  if (helpdesk !== null && crm !== null && isOff(helpdesk) && isOff(crm) && Math.abs(helpdesk - crm) <= tolerance) {
    const problem = `This machine's clock is ${amount(-helpdesk)} compared with both the helpdesk's and the CRM's.`;
    findings = [finding('own_clock_off', problem, synchronise)];
  } else {
    findings = [
      ...(helpdesk !== null && isOff(helpdesk)
        ? [
            finding(
              'helpdesk_clock_off',
              `The helpdesk's clock is ${amount(helpdesk)} compared with ours.`,
              synchronise,
            ),
          ]
        : []),
      ...(crm !== null && isOff(crm)
        ? [finding('crm_clock_off', `The CRM's clock is ${amount(crm)} compared with ours.`, synchronise)]
        : []),
    ];
  }
  const passed = findings.length === 0 ? ['The clocks agree within a minute.'] : [];
  return { area, findings, passed, unchecked: [] };
}

const isOff = (ahead: number) => Math.abs(ahead) > tolerance;

function amount(ahead: number): string {
  const minutes = Math.abs(ahead) / 60_000;
  const size = minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
  return `${size} ${ahead > 0 ? 'fast' : 'slow'}`;
}
