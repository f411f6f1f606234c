import { spoken } from '#i18n/say.ts';
import type { UiLanguage } from '#settings/schema.ts';
import { around } from './around.ts';
import { crmStates as crm } from './crm-states.ts';
import { failures } from './failures.ts';
import { fields } from './fields.ts';
import { find } from './find.ts';
import { people } from './people.ts';
import { routing } from './routing.ts';
import { routingInputs } from './routing-inputs.ts';
import { routingReasons } from './routing-reasons.ts';
import { shell } from './shell.ts';
import { steps } from './steps.ts';
import { sync } from './sync.ts';
import { trust } from './trust.ts';
import { reject } from './wrong-customer.ts';

const all = {
  ...{ shell, trust, steps, fields, people, around, find, crm, failures, sync, reject },
  ...{ routing, routingInputs, routingReasons },
};

/** All texts of the panel in one language. */
export function textsFor(language: UiLanguage) {
  return { language, ...spoken(all, language) };
}
export type Texts = ReturnType<typeof textsFor>;
