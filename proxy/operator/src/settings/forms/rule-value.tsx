import type { SettingName } from '@deskside/shared/operator/settings';
import { ClaimsMode } from '@deskside/shared/routing';
import { useTexts } from '#i18n/texts.ts';
import { fieldsIn } from './rule-form.tsx';

/** A rule's value as its form has it; of the CRM's fields the additional ones. */
export function RuleValue({ name, text }: { name: SettingName; text: string }) {
  const { ruleForms: texts } = useTexts();
  const mode = ClaimsMode.options.find((one) => one === text);
  if (name === 'claims' && mode !== undefined) return texts.claims[mode].title;
  const value = fieldsIn(name, text);
  const lines: [label: string, example: string][] = [];
  if (value?.rule === 'teams')
    for (const use of ['medium_scale', 'medium_grow', 'sme'] as const) {
      const team = value.teams[use];
      if (team !== undefined) lines.push([texts.teams[use], team]);
    }
  else if (value?.rule === 'plan_words')
    lines.push(
      [texts.planWords.scale, value.words.scale.join(', ')],
      [texts.planWords.grow, value.words.grow.join(', ')],
    );
  else if (value?.rule === 'crm_fields')
    for (const { field, key, label, group } of value.fields.extra)
      lines.push([field, [key, label, texts.extra.groups[group]].join(', ')]);
  else if (value !== null) return <bdi className="wrap-anywhere">{value.list.join(', ')}</bdi>;
  return (
    <ul>
      {lines.map(([label, example]) => (
        <li key={label} className="wrap-anywhere">
          {label}: <bdi>{example}</bdi>
        </li>
      ))}
    </ul>
  );
}
