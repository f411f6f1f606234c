/** Built in by wxt.config.ts: the preset addresses of a company's own package, null in the public one. */
interface ImportMetaEnv {
  readonly HELPDESK_ORIGIN: string | null | undefined;
  readonly PROXY_ORIGIN: string | null | undefined;
}
