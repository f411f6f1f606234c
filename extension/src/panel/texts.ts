import { spoken } from '#i18n/say.ts';
import type { UiLanguage } from '#messaging/settings.ts';
import { fields } from './company/texts.ts';
import { find } from './find/texts.ts';
import { people } from './people/texts.ts';
import { reject } from './reject/texts.ts';
import { routingInputs } from './routing/input-texts.ts';
import { routingReasons } from './routing/reason-texts.ts';
import { routing } from './routing/texts.ts';
import { shell } from './shell-texts.ts';
import { crmStates as crm } from './status/crm-texts.ts';
import { failures } from './status/texts.ts';
import { steps } from './steps/texts.ts';
import { sync } from './sync/texts.ts';
import { around } from './tickets/texts.ts';
import { trust } from './trust-texts.ts';

const all = {
  ...{ shell, trust, steps, fields, people, around, find, crm, failures, sync, reject },
  ...{ routing, routingInputs, routingReasons },
};

/** All texts of the panel in one language. */
export function textsFor(language: UiLanguage) {
  return { language, ...spoken(all, language) };
}
export type Texts = ReturnType<typeof textsFor>;
