import { jwt } from '@elysiajs/jwt';
import { t } from 'elysia';
import type { Clock } from '#lib/clock.ts';
import { lazy } from '#lib/lazy.ts';

export type TokenClaims = { userId: number; sessionId: string };

export type Tokens = {
  /** @param expiresAt epoch ms */
  sign(claims: TokenClaims, expiresAt: number): Promise<string>;
  /** The claims of a token that this server signed and that has not expired; null for anything else. */
  verify(token: string): Promise<TokenClaims | null>;
};

/**
 * JSON Web Tokens that hold a user id and a session id, and no rights: those are read from the database.
 */
export function createTokens(deps: { jwtSecret: string; clock: Clock }): Tokens {
  const signer = lazy(() => {
    const schema = t.Object({ uid: t.Integer(), sid: t.String() });
    return jwt({ name: 'jwt', secret: deps.jwtSecret, schema }).decorator.jwt;
  });
  return {
    // `iat` would be stamped with the machine's clock instead of ours.
    sign: ({ userId, sessionId }, expiresAt) =>
      signer().sign({ uid: userId, sid: sessionId, exp: Math.floor(expiresAt / 1000), iat: false }),
    verify: async (token) => {
      const options = { algorithms: ['HS256'], currentDate: new Date(deps.clock.now()) };
      const claims = await signer().verify(token, options);
      return claims ? { userId: claims.uid, sessionId: claims.sid } : null;
    },
  };
}
