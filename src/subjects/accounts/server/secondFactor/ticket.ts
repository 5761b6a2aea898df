import { TICKET_MS } from '#subjects/accounts/rules/secondFactor.ts';
import { createSealFor } from '#lib/secrets.ts';
import { isRecord } from '#lib/json.ts';
import type { App } from '#platform/app.ts';
import type { UserRow } from '../store.ts';

const PLACE = 'login ticket';

const fingerprint = ({ passwordHash }: Pick<UserRow, 'passwordHash'>): string =>
  new Bun.CryptoHasher('sha256').update(passwordHash).digest('base64url');

export type Tickets = {
  /** For somebody who gave the right password. */
  issue(user: UserRow): string;
  /** Whose it is; null when it is forged or its five minutes are over. */
  userIdOf(ticket: string): number | null;
  /** Whether the password is still that of the ticket. */
  fits(ticket: string, user: UserRow): boolean;
};

function parsed(bytes: Uint8Array | null): Record<string, unknown> | null {
  if (bytes === null) return null;
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return isRecord(value) ? value : null;
}

/**
 * What stands between the two steps of a login. It is sealed with a key of its own, so it is worth nothing anywhere else,
 * and goes on over a restart; a new password makes it void.
 */
export function createTickets({ clock, jwtSecret }: App): Tickets {
  const seal = createSealFor(jwtSecret, { salt: 'bellbird accounts', info: 'login ticket' });
  const read = (ticket: string) => parsed(seal.open(PLACE, ticket));
  return {
    issue(user) {
      const body = { userId: user.id, until: clock.now() + TICKET_MS, password: fingerprint(user) };
      return seal.seal(PLACE, Buffer.from(JSON.stringify(body)));
    },
    userIdOf(ticket) {
      const { userId, until } = read(ticket) ?? {};
      const now = clock.now();
      // One of longer than five minutes was given before the clock was set back.
      const isGood = typeof until === 'number' && until > now && until <= now + TICKET_MS;
      return isGood && typeof userId === 'number' ? userId : null;
    },
    fits: (ticket, user) => read(ticket)?.['password'] === fingerprint(user),
  };
}
