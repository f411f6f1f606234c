const day = 86_400_000;
const hour = 3_600_000;

/** Moments of the invented world, all relative to one `now`, in the notation of either system. */
export interface WorldTime {
  /** ISO 8601 in the CRM portal's own offset, +03:00, a number of days from now (fractions allowed). */
  crm(daysFromNow: number): string;
  /** Naive, in the helpdesk site's zone (Asia/Ho_Chi_Minh, always +07:00), a number of hours ago. */
  site(hoursAgo: number): string;
}

export function worldTime(now: Date): WorldTime {
  return {
    crm: (days) => `${shifted(now.getTime() + days * day, 3).slice(0, 19)}+03:00`,
    site: (hours) =>
      `${shifted(now.getTime() - hours * hour, 7)
        .slice(0, 19)
        .replace('T', ' ')}.000000`,
  };
}

function shifted(moment: number, offsetHours: number): string {
  return new Date(moment + offsetHours * hour).toISOString();
}
