import { endSession, session, tokenHeaders } from './session.ts';

/** Ends the session here at once, whatever the server says to it, and goes to /login. */
export async function logOut(): Promise<void> {
  const token = session.peek().accessToken;
  endSession();
  if (!token) return;
  try {
    await fetch('/api/logout', { method: 'POST', headers: tokenHeaders(token), keepalive: true });
  } catch {
    // Spec section 4: logout errors are ignored; this browser has forgotten the token already.
  }
}
