/** Escapes text for HTML, also inside quoted attributes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** The small page that accompanies a redirect. */
export function redirectPage(target: string): string {
  const link = escapeHtml(target);
  return `<!doctype html>\n<html lang=en>\n<title>Redirecting...</title>\n<h1>Redirecting...</h1>\n<p>You should be redirected automatically to the target URL: <a href="${link}">${link}</a>. If not, click the link.\n`;
}
