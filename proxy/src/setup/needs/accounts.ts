import { column, isOn } from '#helpdesk/admin.ts';
import type { Item } from '#setup/items.ts';
import { serviceRoles } from './fields.ts';
import { erasing, making, type ProvisionRun } from './need.ts';

// The service account's roles, and that nobody renames an account.

/** Roles that the service account lacks: without them the helpdesk shows it no tickets. */
export async function planAccount({ admin, settings: { apiKey } }: ProvisionRun): Promise<Item[]> {
  if (apiKey === undefined) return [];
  const [owner] = await admin.list('User', { fields: ['name'], filters: [['api_key', '=', apiKey]] });
  const held = column(owner && (await admin.get('User', owner.name))?.roles, 'role');
  const missing = serviceRoles.filter((role) => !held.includes(role));
  if (owner === undefined || missing.length === 0) return [];
  const roles = [...held, ...missing].map((role) => ({ role }));
  const make = () => admin.update('User', owner.name, { roles });
  return [{ what: `User "${owner.name}"`, state: 'change', detail: `role ${missing.join(', ')}`, make }];
}

/** What tickets may name is not deleted. */
export async function disableAccount({ admin, settings: { apiKey } }: ProvisionRun): Promise<Item[]> {
  const users = await admin.list('User', { fields: ['name', 'enabled'], filters: [['api_key', '=', apiKey ?? '']] });
  return users
    .filter(({ enabled }) => isOn(enabled))
    .map(({ name }): Item => {
      const detail = 'disabled; delete it in the helpdesk if nothing names it';
      const make = () => admin.update('User', name, { enabled: 0 });
      return { what: `User "${name}"`, state: 'change', detail, make };
    });
}

/** Every account may write itself, and so rename itself to an address that is another's (decision 8: desk rights). */
export const openRenames =
  'Everybody with an account may rename it to an address that has none, and is then taken for that sender, signed in.';

/** A property of the site's own; the field that nothing reads says that it is ours. */
const noRenames = {
  ...{ doctype_or_field: 'DocType', doc_type: 'User', property: 'allow_rename', property_type: 'Check', value: '0' },
  default_value: 'Deskside',
};

export async function planRenames(run: ProvisionRun): Promise<Item[]> {
  const what = 'Renaming of accounts';
  if ((await run.admin.doctype('User'))?.isRenamable !== true)
    return [{ what, state: 'exists', detail: 'nobody renames a User' }];
  const warning = `${openRenames} From now on nobody renames a User, the desk included. Accounts that have been renamed stay so.`;
  const make = making(run, 'Property Setter', noRenames);
  return [{ what, state: 'create', detail: 'a Property Setter: not allowed', make, warning }];
}

export function allowRenames(run: ProvisionRun): Promise<Item[]> {
  const ours = ['doc_type', 'property', 'default_value'] as const;
  return erasing(
    run,
    'Property Setter',
    ours.map((key) => [key, '=', noRenames[key]] as const),
  );
}
