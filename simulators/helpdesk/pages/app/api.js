/** What the site answered instead of what was asked for. */
class ApiError extends Error {
  constructor(status, body) {
    super(firstMessage(body) || `The site answered ${status}`);
    this.status = status;
  }
}

function firstMessage(body) {
  try {
    const [first] = JSON.parse(body._server_messages);
    const parsed = new DOMParser().parseFromString(JSON.parse(first).message, 'text/html');
    return parsed.body.textContent;
  } catch {
    return '';
  }
}

/** Asks the site's own REST API with the session's cookie; writes carry the CSRF token of the page. */
async function request(method, path, body, signal) {
  const headers = { Accept: 'application/json', 'X-Frappe-CSRF-Token': window.csrf_token };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(path, {
    method,
    headers,
    signal,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (answer.session_expired) location.href = `/login?redirect-to=${encodeURIComponent(location.pathname)}`;
  if (!response.ok) throw new ApiError(response.status, answer);
  return answer;
}

export async function list(doctype, { fields, filters, orderBy, limit = 0, start = 0 }, signal) {
  const query = new URLSearchParams({
    fields: JSON.stringify(fields),
    limit: String(limit),
    limit_start: String(start),
  });
  if (filters) query.set('filters', JSON.stringify(filters));
  if (orderBy) query.set('order_by', orderBy);
  return (await request('GET', `/api/resource/${encodeURIComponent(doctype)}?${query}`, undefined, signal)).data;
}

export async function call(method, args, signal) {
  const query = new URLSearchParams(args);
  return (await request('GET', `/api/method/${method}?${query}`, undefined, signal)).message;
}

export async function post(method, args) {
  return (await request('POST', `/api/method/${method}`, args)).message;
}

export async function create(doctype, values) {
  return (await request('POST', `/api/resource/${encodeURIComponent(doctype)}`, values)).data;
}

export async function update(doctype, name, values) {
  const path = `/api/resource/${encodeURIComponent(doctype)}/${encodeURIComponent(name)}`;
  return (await request('PUT', path, values)).data;
}
