import { effect, signal } from '@preact/signals-react';
import { onReconnect } from '#web/shared/onReconnect.ts';
import { queryOf, replaceAddress } from '#web/router/navigate.ts';
import { LOGIN_PATH, SETTINGS_PATH } from '#web/router/routes.ts';
import { keepLinkToken, pendingLinkToken, session } from '#subjects/accounts/web/shared/session/session.ts';
import { settings } from '#web/shared/settings.ts';

/** Names of the token in a bot's link (specification, section 4). */
const NAMES = ['linkToken', 'token'];

const tokenIn = (query: URLSearchParams): string | null =>
  NAMES.map((name) => query.get(name)?.trim()).find((token) => token) ?? null;

const arrivals = signal(0);

/**
 * Removes the token of a one-time link from the address, so that neither history nor screen show it. The token is kept
 * until it is claimed or declined; a visitor must log in first.
 */
function takeLinkToken(): void {
  const page = new URLSearchParams(window.location.search);
  const token = tokenIn(queryOf(window.location.hash)) ?? tokenIn(page);
  if (token === null) return;
  keepLinkToken(token);
  for (const name of NAMES) page.delete(name);
  const search = page.size > 0 ? `?${page}` : '';
  const to = session.peek().isAuthenticated ? SETTINGS_PATH : LOGIN_PATH;
  replaceAddress(`${window.location.pathname}${search}#${to}`);
  arrivals.value += 1;
}

function askPending(): void {
  if (!session.peek().isAuthenticated || settings.peek() === null || pendingLinkToken() === null) return;
  import('./claimLink.ts').then(
    ({ askToLink }) => askToLink(),
    () => onReconnect(askPending),
  );
}

/**
 * Asks about one-time links once the settings are loaded: links opened in this window, or before a login. Call
 * it before the router starts, which would drop the token. Returns the stop function.
 */
export function startLinkTokens(): () => void {
  takeLinkToken();
  window.addEventListener('hashchange', takeLinkToken);
  const stopAsking = effect(function askAfterSettings() {
    void arrivals.value;
    if (settings.value !== null) askPending();
  });
  return () => {
    window.removeEventListener('hashchange', takeLinkToken);
    stopAsking();
  };
}
