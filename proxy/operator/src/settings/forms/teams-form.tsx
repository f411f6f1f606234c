import type { TeamsValue } from '@deskside/shared/operator/rule-values';
import { useAsked } from '#api/use-asked.ts';
import { useTexts } from '#i18n/texts.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { Field, type FieldProps, fieldLook } from './field.tsx';

const everyMs = 5 * 60_000;

/** The teams that tickets go to, chosen from the helpdesk's; typed where these cannot be read. */
export function TeamsForm({
  value,
  wrongAt,
  onChange,
}: {
  value: TeamsValue;
  wrongAt: readonly string[];
  onChange: (value: TeamsValue) => void;
}) {
  const { ruleForms: texts } = useTexts();
  const { data, isError } = useAsked('settingTeams', {}, everyMs);
  if (data === undefined && !isError) return <Skeleton rows={3} />;
  return (
    <div className="flex flex-col gap-3">
      {data === undefined && <p className="text-xs text-warn">{texts.teamsUnknown}</p>}
      {(['medium_scale', 'medium_grow', 'sme'] as const).map((use) => {
        const choose = (team: string) => onChange({ ...value, [use]: team });
        return (
          <Field key={use} label={texts.teams[use]} wrong={wrongAt.includes(use) ? texts.wrong.team : null}>
            {(props) =>
              data === undefined ? (
                <input
                  {...props}
                  value={value[use] ?? ''}
                  maxLength={140}
                  autoComplete="off"
                  className={`${fieldLook} min-h-9`}
                  onChange={({ target }) => choose(target.value)}
                />
              ) : (
                <TeamChoice props={props} team={value[use] ?? ''} teams={data.teams} onChange={choose} />
              )
            }
          </Field>
        );
      })}
    </div>
  );
}

function TeamChoice({
  props,
  team,
  teams,
  onChange,
}: {
  props: FieldProps;
  team: string;
  teams: readonly { name: string; is_disabled: boolean }[];
  onChange: (team: string) => void;
}) {
  const { ruleForms: texts } = useTexts();
  const isThere = teams.some(({ name }) => name === team);
  return (
    <select
      {...props}
      value={team}
      className={`${fieldLook} min-h-9`}
      onChange={({ target }) => onChange(target.value)}
    >
      {!isThere && <option value={team}>{team === '' ? texts.choose : texts.notThere(team)}</option>}
      {teams.map(({ name, is_disabled }) => (
        <option key={name} value={name}>
          {is_disabled ? texts.disabled(name) : name}
        </option>
      ))}
    </select>
  );
}
