import { demo } from '@deskside/simulators/seed/index';

/**
 * What a proxy between the simulators always needs, on a free port, with its records in `databaseUrl`. With `crm`, owners
 * are looked up with the same webhook; without, it has no CRM.
 */
export function proxyEnvironment(
  { helpdesk, crm }: { helpdesk: { url: string }; crm?: { webhookUrl: string } },
  databaseUrl: string,
): Record<string, string> {
  return {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    HELPDESK_URL: helpdesk.url,
    HELPDESK_API_KEY: demo.service.apiKey,
    HELPDESK_API_SECRET: demo.service.apiSecret,
    ...(crm && { CRM_WEBHOOK_URL: crm.webhookUrl, CRM_RESPONSIBLE_WEBHOOK_URL: crm.webhookUrl }),
    ALLOW_INSECURE_UPSTREAMS: '1',
  };
}
