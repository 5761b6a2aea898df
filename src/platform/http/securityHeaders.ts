/** Half a year is what reviewers ask for at least; a year is usual. It names this host alone, not those below it. */
const HSTS = 'max-age=31536000';

/** What no page of this origin ever uses. Copying to the clipboard stays allowed. */
const UNUSED_FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/**
 * For everything that brings no policy of its own. The stream's worker goes by this one, hence `connect-src`; what is
 * no page and no worker needs nothing at all.
 */
const POLICY =
  "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For an answer that is no page. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['content-security-policy', POLICY],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'same-origin'],
  ['x-content-type-options', 'nosniff'],
];

/** For every answer that a browser may show as a page. The two lists follow OWASP's, without what cookies need. */
const PAGE_HEADERS: typeof HEADERS = [
  ...HEADERS,
  ['cross-origin-opener-policy', 'same-origin'],
  ['origin-agent-cluster', '?1'],
  ['permissions-policy', UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', ')],
  ['x-dns-prefetch-control', 'off'],
  ['x-frame-options', 'DENY'],
  ['x-permitted-cross-domain-policies', 'none'],
];

/** What a browser shows as text at most. A first load has some twenty of them, and half a kilobyte for each counts. */
const NO_PAGES = ['text/javascript', 'text/css', 'font/', 'application/json', 'text/event-stream'];
const isPage = ({ headers }: Response): boolean =>
  !NO_PAGES.some((type) => headers.get('content-type')?.startsWith(type));

/**
 * Adds what browsers must know of an answer before they trust it. What the answer says itself stands.
 *
 * @param httpsOnly whether to send HSTS
 * @returns the same answer
 */
export function secured(response: Response, httpsOnly: boolean): Response {
  for (const [name, value] of isPage(response) ? PAGE_HEADERS : HEADERS) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  if (httpsOnly) response.headers.set('strict-transport-security', HSTS);
  return response;
}
