import type { Context } from 'hono';
import type { AppEnv } from '#http/context.ts';
import { describeApi, type OpenApi } from '#http/openapi/document.ts';
import { pageOf, pagePolicy } from '#http/openapi/page.ts';

/** GET /openapi.json and GET /docs: the same description for programs and for people. Made when first asked for. */
export function openApiRoutes(version: string) {
  let described: OpenApi | undefined;
  const document = () => {
    described ??= describeApi(version);
    return described;
  };
  return {
    json: (c: Context<AppEnv>) => c.json(document()),
    page: (c: Context<AppEnv>) => {
      c.header('content-security-policy', pagePolicy);
      return c.html(pageOf(document()));
    },
  };
}
