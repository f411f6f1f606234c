/** The CRM that this proxy asks. To use another one, add a folder next to Bitrix24's and change this line. */
export { bitrix24Adapter as crmAdapter } from './adapter.ts';
