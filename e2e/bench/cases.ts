import { cached } from './cases/cached.ts';
import { crmBudget } from './cases/crm-budget.ts';
import { customersMatch } from './cases/customers-match.ts';
import { helpdeskRequests } from './cases/helpdesk-requests.ts';
import { hooks } from './cases/hooks.ts';
import { largeStore } from './cases/large-store.ts';
import { memory } from './cases/memory.ts';
import { panel } from './cases/panel.ts';
import { pipeline } from './cases/pipeline.ts';
import { cold, mixed, stale } from './cases/profiles.ts';
import { replicas } from './cases/replicas.ts';
import { start } from './cases/start.ts';
import type { BenchCase } from './frame/case.ts';

/** What `npm run bench` measures, in the order of its table. */
export const benchCases: readonly BenchCase[] = [
  cached,
  stale,
  cold,
  mixed,
  hooks,
  pipeline,
  helpdeskRequests,
  crmBudget,
  customersMatch,
  start,
  memory,
  largeStore,
  replicas,
  panel,
];
