import { useEffect } from 'react';
import { forgetAlert, requestedAlert } from '../shared/requestedAlert.ts';
import { routeQuery } from '../../../../../web/router/navigate.ts';
import {
  dropKeptInput,
  holdInput,
  keptInput,
  userOf,
} from '../../../accounts/web/shared/session/interruption.ts';
import { session } from '../../../accounts/web/shared/session/session.ts';
import { followAlertEvents } from './alerts/alertEvents.ts';
import {
  flushAlerts,
  loadAlerts,
  loadedAlerts,
  resetAlerts,
  restoreAlerts,
  unsavedAlerts,
} from './alerts/alertStore.ts';
import { readHeldAlerts } from './alerts/heldAlerts.ts';
import { loadChats, resetChats } from './chats.ts';
import { resetRequests, takeUpLink, takeUpRequest } from './requests.ts';
import { items, loadWatchlist, resetWatchlist, setOpen } from './state.ts';

let owner: string | null = null;

/** Forgets everything that belongs to the user whose list was shown. */
export function forgetWatchlist(): void {
  resetWatchlist();
  resetAlerts();
  resetChats();
  resetRequests();
}

/** Goes on with the alerts that were being edited when the session ended. */
function goOn(): void {
  const kept = readHeldAlerts(keptInput('alerts'));
  restoreAlerts(kept);
  for (const { symbol } of kept) setOpen(symbol, true);
  dropKeptInput('alerts');
}

function begin(token: string): () => void {
  const user = userOf(token) ?? token;
  if (user !== owner) forgetWatchlist();
  owner = user;
  goOn();
  void loadWatchlist();
  void loadChats();
  for (const symbol of loadedAlerts.peek().keys()) void loadAlerts(symbol);
  const stops = [followAlertEvents(), holdInput('alerts', unsavedAlerts), onLeaving(() => flushAlerts())];
  return () => {
    for (const stop of stops) stop();
    resetRequests();
    if (session.peek().isAuthenticated) flushAlerts();
    // What was typed is kept for the next login already.
    else forgetWatchlist();
  };
}

/** Calls back when the window is hidden or closed: it may not be shown again. Returns the stop function. */
function onLeaving(leave: () => void): () => void {
  const onHidden = () => {
    if (document.hidden) leave();
    else void loadChats();
  };
  window.addEventListener('pagehide', leave);
  document.addEventListener('visibilitychange', onHidden);
  return () => {
    window.removeEventListener('pagehide', leave);
    document.removeEventListener('visibilitychange', onHidden);
  };
}

/** Loads the watchlist of whoever is signed in, keeps it up to date, and takes up what was asked for. */
export function useWatchlist(): void {
  const { accessToken } = session.value;
  useEffect(() => (accessToken === null ? undefined : begin(accessToken)), [accessToken]);

  const hasItems = items.value !== null;
  const asked = routeQuery.value.get('symbol');
  useEffect(() => {
    if (hasItems && asked !== null) takeUpLink(asked);
  }, [hasItems, asked]);

  const request = requestedAlert.value;
  useEffect(() => {
    if (!hasItems || request === null) return;
    forgetAlert();
    void takeUpRequest(request);
  }, [hasItems, request]);
}
