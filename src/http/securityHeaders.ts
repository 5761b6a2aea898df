/** Half a year is what reviewers ask for at least; a year is usual. It names this host alone, not those below it. */
const HSTS = 'max-age=31536000';

/** What no page of this origin ever uses. Copying to the clipboard stays allowed. */
const UNUSED_FEATURES = [
  'accelerometer',
  'bluetooth',
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

/** After OWASP's list of secure headers, as far as it concerns an application that sets no cookie. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
};

/**
 * Adds what browsers must know of an answer before they trust it. What the answer says itself stands.
 *
 * @param isHttps whether people reach the server by https: only then may browsers be told to use nothing else
 * @returns the same answer
 */
export function secured(response: Response, isHttps: boolean): Response {
  for (const name in HEADERS) {
    if (!response.headers.has(name)) response.headers.set(name, HEADERS[name] ?? '');
  }
  if (isHttps) response.headers.set('strict-transport-security', HSTS);
  return response;
}
