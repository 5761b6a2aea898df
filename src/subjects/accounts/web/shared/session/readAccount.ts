import { authenticatedAnswer } from '../../../answers/authentication.ts';
import { readBoolean, readRecord, readText } from '../../../../../lib/read.ts';
import { readAnswer } from '../../../../../../web/api/client.ts';
import { readerOf } from '../../../../../../web/api/readerOf.ts';

/** What seeding answers. */
export type Seeded = {
  success: boolean;
  accessToken: string | null;
  user: { role: string; isAdmin: boolean };
  error: string | null;
  /** The input that is refused; null when it is the whole. */
  field: string | null;
};

/** POST /login and POST /register, and with `field` what they refuse as a 409; null when it is the whole. */
export const readAuthentication = (body: unknown) => ({
  ...readerOf(authenticatedAnswer)(body),
  field: readText(readRecord(body).field),
});
export type Authentication = ReturnType<typeof readAuthentication>;

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
