/** Set by wxt.config.ts: the addresses built into a company's own package, null in the public one. */
interface ImportMetaEnv {
  readonly HELPDESK_ORIGIN: string | null | undefined;
  readonly PROXY_ORIGIN: string | null | undefined;
  /** Hosts that may be http besides this machine's own names; none outside of builds for trying things out. */
  readonly INSECURE_HOSTS: string[] | undefined;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
