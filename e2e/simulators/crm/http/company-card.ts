import type { CrmRecord } from '#seed/types.ts';

/** The page behind a company's details link, so that the link of the panel leads somewhere. */
export function companyCard(company: CrmRecord | undefined): string {
  const rows = Object.entries(company ?? {})
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([key, value]) => `<tr><th>${escapeHtml(key)}</th><td>${escapeHtml(String(value))}</td></tr>`)
    .join('');
  const title = escapeHtml(String(company?.TITLE ?? 'No such company'));
  return `<!DOCTYPE html><html lang="vi"><meta charset="utf-8"><title>${title}</title>
<style>body{font:14px system-ui;margin:2rem}th{text-align:left;padding-right:1rem;color:#667}</style>
<h1>${title}</h1><table>${rows}</table></html>`;
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (c) => names[c] ?? c);
}
