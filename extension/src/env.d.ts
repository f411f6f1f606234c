/** Set by wxt.config.ts: the addresses built into a company's own package, null in the public one. */
interface ImportMetaEnv {
  readonly HELPDESK_ORIGIN: string | null | undefined;
  readonly PROXY_ORIGIN: string | null | undefined;
}
