import { MESSAGES } from '#texts/messages.ts';
import type { Refusal } from '#lib/result.ts';
import { api, unwrap } from '#web/api/client.ts';
import { afterLogin, readAuthentication, refusedWith, startSessionFrom } from '../shared/session/account.ts';

const REFUSED = 'That code was not accepted';

/** The second step of a login. @returns why it was refused (`ticket`: begin again), or null when it worked */
export async function sendSecondStep(ticket: string, code: string): Promise<Refusal | null> {
  try {
    const answer = await unwrap(api.login['second-step'].post({ ticket, code }), readAuthentication);
    return startSessionFrom(answer, REFUSED, afterLogin);
  } catch (cause) {
    return refusedWith(cause, REFUSED, MESSAGES.login.network);
  }
}
