import type { Hooks } from './types.ts';

/** User: who may sign in, by what key, and with which roles. */
export const userHooks: Hooks = {
  afterSave(site, _actor, document) {
    const text = (field: string) => String(document[field] ?? '');
    const roles = Array.isArray(document.roles) ? (document.roles as { role: string }[]) : [];
    site.accounts.set(document.name, {
      name: document.name,
      fullName: text('first_name'),
      password: site.accounts.get(document.name)?.password ?? '',
      apiKey: text('api_key'),
      apiSecret: text('api_secret'),
      roles: roles.map(({ role }) => role),
      enabled: document.enabled === 1,
    });
  },
};
