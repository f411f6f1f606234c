import type { UiLanguage } from '#settings/schema.ts';
import { adoption } from './profile/adoption.ts';
import { around } from './profile/around.ts';
import { crmStates } from './profile/crm-states.ts';
import { failures } from './profile/failures.ts';
import { fields } from './profile/fields.ts';
import { find } from './profile/find.ts';
import { people } from './profile/people.ts';
import { routing } from './profile/routing.ts';
import { routingInputs } from './profile/routing-inputs.ts';
import { routingReasons } from './profile/routing-reasons.ts';
import { sync } from './profile/sync.ts';
import { trust } from './profile/trust.ts';
import { reject } from './profile/wrong-customer.ts';
import { shell } from './shell.ts';

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
