import type { UiLanguage } from '#settings/schema.ts';
import { crmStates } from './crm-states.ts';
import { failures } from './failures.ts';
import { fields } from './fields.ts';
import { routing } from './routing.ts';
import { routingInputs } from './routing-inputs.ts';
import { shell } from './shell.ts';
import { sync } from './sync.ts';
import { trust } from './trust.ts';

/** All texts of the panel in one language. */
export function textsFor(language: UiLanguage) {
  return {
    language,
    shell: shell[language],
    trust: trust[language],
    fields: fields[language],
    crm: crmStates[language],
    failures: failures[language],
    sync: sync[language],
    routing: routing[language],
    routingInputs: routingInputs[language],
  };
}
export type Texts = ReturnType<typeof textsFor>;
