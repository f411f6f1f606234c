import { type AreaReport, areaReport, type FaultCode, finding } from './finding.ts';

/** How far each server's clock is ahead of ours, in milliseconds; null if unknown. */
export interface ClockFacts {
  helpdesk: number | null;
  crm: number | null;
}

const tolerance = 60_000;

/** Reports clocks more than a minute apart. If both servers differ in the same way, ours is the wrong one. */
export function judgeClocks({ helpdesk, crm }: ClockFacts): AreaReport {
  const area = 'Clocks';
  if (helpdesk === null && crm === null)
    return areaReport(area, { unchecked: ['Neither the helpdesk nor the CRM reported its time.'] });
  const synchronise = 'Synchronise its clock (NTP); "timedatectl" shows whether it is.';
  const isOurs = isOff(helpdesk) && isOff(crm) && Math.abs(helpdesk - crm) <= tolerance;
  const ours = `This machine's clock is ${amount(-(helpdesk ?? 0))} compared with both the helpdesk's and the CRM's.`;
  const off = (code: FaultCode, whose: string, ahead: number | null) =>
    isOff(ahead) &&
    !isOurs &&
    finding(code, `The ${whose}'s clock is ${amount(ahead)} compared with ours.`, synchronise);
  return areaReport(area, {
    findings: [
      isOurs && finding('own_clock_off', ours, synchronise),
      off('helpdesk_clock_off', 'helpdesk', helpdesk),
      off('crm_clock_off', 'CRM', crm),
    ],
    fine: 'The clocks agree within a minute.',
  });
}

const isOff = (ahead: number | null): ahead is number => ahead !== null && Math.abs(ahead) > tolerance;

function amount(ahead: number): string {
  const minutes = Math.abs(ahead) / 60_000;
  const size = minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
  return `${size} ${ahead > 0 ? 'fast' : 'slow'}`;
}
