import { readBoolean, readCount, readRecord, readText } from '../../../../../lib/read.ts';
import { readAnswer } from '../../../../../../web/api/client.ts';

/** What login and registration answer. */
export type Authentication = {
  authenticated: boolean;
  /** Null or '' when the person is not signed in. */
  accessToken: string | null;
  accessLevel: number;
  error: string | null;
  /** The input that is refused; null when it is the whole. */
  field: string | null;
};

/** What seeding answers. */
export type Seeded = {
  success: boolean;
  accessToken: string | null;
  user: { role: string; isAdmin: boolean };
  error: string | null;
  /** The input that is refused; null when it is the whole. */
  field: string | null;
};

/** An account of which the server says no level has the lowest. */
const LOWEST_LEVEL = 1;

/** POST /login and POST /register (specification 7.1). */
export function readAuthentication(body: unknown): Authentication {
  const { authenticated, accessToken, accessLevel, error, field } = readAnswer(body);
  return {
    authenticated: readBoolean(authenticated) ?? false,
    accessToken: readText(accessToken),
    accessLevel: Math.max(LOWEST_LEVEL, readCount(accessLevel) ?? LOWEST_LEVEL),
    error: readText(error),
    field: readText(field),
  };
}

/** POST /test/seed (specification 7.1). */
export function readSeeded(body: unknown): Seeded {
  const { success, accessToken, user, error, field } = readAnswer(body);
  const { role, isAdmin } = readRecord(user);
  return {
    success: readBoolean(success) ?? false,
    accessToken: readText(accessToken),
    user: { role: readText(role) ?? '', isAdmin: readBoolean(isAdmin) ?? false },
    error: readText(error),
    field: readText(field),
  };
}

/** GET /test/status (specification 7.1): whether demo data may be seeded. */
export const readTestStatus = (body: unknown): { test: boolean } => ({
  test: readBoolean(readAnswer(body).test) ?? false,
});
