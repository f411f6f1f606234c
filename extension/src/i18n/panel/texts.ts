import type { UiLanguage } from '#settings/schema.ts';
import { adoption } from './adoption.ts';
import { around } from './around.ts';
import { crmStates } from './crm-states.ts';
import { failures } from './failures.ts';
import { fields } from './fields.ts';
import { find } from './find.ts';
import { people } from './people.ts';
import { routing } from './routing.ts';
import { routingInputs } from './routing-inputs.ts';
import { routingReasons } from './routing-reasons.ts';
import { shell } from './shell.ts';
import { sync } from './sync.ts';
import { trust } from './trust.ts';
import { reject } from './wrong-customer.ts';

/** All texts of the panel in one language. */
export function textsFor(language: UiLanguage) {
  return {
    language,
    shell: shell[language],
    trust: trust[language],
    fields: fields[language],
    people: people[language],
    crm: crmStates[language],
    failures: failures[language],
    sync: sync[language],
    adoption: adoption[language],
    around: around[language],
    find: find[language],
    routing: routing[language],
    routingInputs: routingInputs[language],
    routingReasons: routingReasons[language],
    reject: reject[language],
  };
}
export type Texts = ReturnType<typeof textsFor>;
