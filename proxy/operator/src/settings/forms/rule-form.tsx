import {
  CrmFieldsValue,
  type ExtraFieldValue,
  PlanWordsValue,
  TeamsValue,
  WordsValue,
} from '@deskside/shared/operator/rule-values';
import type { SettingName } from '@deskside/shared/operator/settings';
import { useTexts } from '#i18n/texts.ts';
import { ClaimsForm } from './claims-form.tsx';
import { ExtraFieldsForm } from './extra-fields-form.tsx';
import { ListField } from './list-field.tsx';
import { TeamsForm } from './teams-form.tsx';

interface RuleFormProps {
  name: SettingName;
  /** The value as it is set: a word, or JSON. */
  text: string;
  /** Parts of it that were refused, such as `scale.0`; '' is the whole. */
  wrongAt: readonly string[];
  /** CRM fields that do not exist. */
  unknown: readonly string[];
  onChange: (text: string) => void;
}

/** Rules that have a form beside their JSON. */
const formed: ReadonlySet<SettingName> = new Set([
  'teams',
  'plan_words',
  'medium_segments',
  'platform_hosts',
  'guarded_domains',
  'crm_fields',
]);

/** Whether a setting has a form, and this value of it fits in there. */
export function fitsForm(name: SettingName, text: string): boolean {
  return name === 'claims' || (formed.has(name) && fieldsIn(name, text) !== null);
}

/** Whether it has a form at all, and JSON beside it. */
export function hasForm(name: SettingName): boolean {
  return formed.has(name);
}

/** A rule's value in fields; nothing if it does not fit (`fitsForm`). */
export function RuleForm({ name, text, wrongAt, unknown, onChange }: RuleFormProps) {
  const { ruleForms: texts } = useTexts();
  if (name === 'claims') return <ClaimsForm value={text === '' ? null : text} onChange={onChange} />;
  const value = fieldsIn(name, text);
  if (value === null) return null;
  const put = (changed: unknown) => onChange(JSON.stringify(changed));
  if (value.rule === 'teams') return <TeamsForm value={value.teams} wrongAt={wrongAt} onChange={put} />;
  if (value.rule === 'crm_fields') {
    const { fields } = value;
    const putExtra = (extra: ExtraFieldValue[]) => put({ ...fields, extra });
    return <ExtraFieldsForm value={fields.extra} wrongAt={wrongAt} unknown={unknown} onChange={putExtra} />;
  }
  if (value.rule === 'plan_words')
    return (
      <div className="grid gap-3 sm:grid-cols-2">
        {(['scale', 'grow'] as const).map((plan) => (
          <ListField
            key={plan}
            label={texts.planWords[plan]}
            hint={texts.planWords.hint}
            kind="word"
            value={value.words[plan]}
            wrongAt={placesIn(wrongAt, plan)}
            onChange={(words) => put({ ...value.words, [plan]: words })}
          />
        ))}
      </div>
    );
  const label = {
    medium_segments: texts.segments,
    platform_hosts: texts.platformHosts,
    guarded_domains: texts.guardedDomains,
  }[value.rule];
  return (
    <ListField
      label={label}
      hint={texts.onePerLine}
      kind={value.rule === 'medium_segments' ? 'word' : 'host'}
      value={value.list}
      wrongAt={placesIn(wrongAt, '')}
      onChange={put}
    />
  );
}

/** What is wrong in one list of a value: the list itself, or an entry. */
function placesIn(wrongAt: readonly string[], list: string): ('list' | number)[] {
  return wrongAt.flatMap((at): ('list' | number)[] => {
    if (at === list) return ['list'];
    const [, entry] = list === '' ? [null, at] : at.split(`${list}.`);
    return entry !== undefined && /^\d+$/.test(entry) ? [Number(entry)] : [];
  });
}

type Fields =
  | { rule: 'teams'; teams: TeamsValue }
  | { rule: 'plan_words'; words: PlanWordsValue }
  | { rule: 'crm_fields'; fields: CrmFieldsValue }
  | { rule: 'medium_segments' | 'platform_hosts' | 'guarded_domains'; list: string[] };

/** A rule's value as its form has it; null if it does not fit. */
export function fieldsIn(rule: SettingName, text: string): Fields | null {
  const json = parsed(text);
  switch (rule) {
    case 'teams': {
      const { data } = TeamsValue.safeParse(json);
      return data === undefined ? null : { rule, teams: data };
    }
    case 'plan_words': {
      const { data } = PlanWordsValue.safeParse(json);
      return data === undefined ? null : { rule, words: data };
    }
    case 'crm_fields': {
      const { data } = CrmFieldsValue.safeParse(json);
      return data === undefined ? null : { rule, fields: data };
    }
    case 'medium_segments':
    case 'platform_hosts':
    case 'guarded_domains': {
      const { data } = WordsValue.safeParse(json);
      return data === undefined ? null : { rule, list: data };
    }
    default:
      return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
