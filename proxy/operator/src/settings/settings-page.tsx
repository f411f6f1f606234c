import { Note } from '@deskside/extension/ui/note';
import type { Setting } from '@deskside/shared/operator/settings';
import { useAsked } from '#api/use-asked.ts';
import { useTexts } from '#i18n/texts.ts';
import { Asked } from '#ui/asked.tsx';
import { Card } from '#ui/card.tsx';
import { FindingList } from '#ui/finding-list.tsx';
import { AuditCard } from './audit-card.tsx';
import { SettingRow } from './setting-row.tsx';

const everyMs = 60_000;
const healthEveryMs = 30_000;

/** What an operator can change while the proxy runs, and who has. */
export function SettingsPage({ mayChange }: { mayChange: boolean }) {
  const { settings: texts } = useTexts();
  const question = useAsked('settings', {}, everyMs);
  return (
    <>
      {!mayChange && <Note tone="info" title={texts.mayNot} />}
      <Asked question={question} rows={6}>
        {({ settings, takes_secrets }) => (
          <>
            {!takes_secrets && <Note tone="info" title={texts.noMasterKey} />}
            {(['crm', 'helpdesk', 'rules'] as const).map((group) => (
              <Card key={group} title={texts.groups[group]}>
                {group === 'crm' && <CrmFindings />}
                <ul className="flex flex-col">
                  {settings
                    .filter((setting) => groupOf(setting) === group)
                    .map((setting) => (
                      <SettingRow
                        key={setting.name}
                        setting={setting}
                        mayChange={mayChange && (takes_secrets || !setting.is_secret)}
                      />
                    ))}
                </ul>
              </Card>
            ))}
          </>
        )}
      </Asked>
      <AuditCard />
    </>
  );
}

/** What is wrong with the CRM, beside the settings that mend most of it. */
function CrmFindings() {
  const { data } = useAsked('health', {}, healthEveryMs);
  const findings = data?.findings.filter(({ area }) => area === 'CRM') ?? [];
  if (findings.length === 0) return null;
  return (
    <div className="border-b border-line pb-3">
      <FindingList findings={findings} />
    </div>
  );
}

function groupOf({ name }: Setting): 'crm' | 'helpdesk' | 'rules' {
  if (name.startsWith('CRM_') || name.startsWith('BACKFILL_')) return 'crm';
  return /^(HELPDESK|OAUTH)_/.test(name) ? 'helpdesk' : 'rules';
}
