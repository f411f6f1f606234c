/** Tables by which processes coordinate. Times are epoch milliseconds. */
export interface LeaseSchema {
  lease: { key: string; owner: string; until: number };
  /** `empty_at`: when the bucket of requests will have drained. */
  crm_budget: { portal: string; empty_at: number };
  missing_anchor: { anchor: string; extension: string; helpdesk: string | null; at: number };
  /** `note`: JSON of what else is remembered of that work. */
  upkeep: { task: string; note: string; at: number };
}
