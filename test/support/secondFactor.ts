import { codeAt } from '#subjects/accounts/rules/totp.ts';
import { PASSWORD, type TestAnswer, type TestApp, type TestRequest } from './testApp.ts';

const STEP_MS = 30_000;

const membersOf = ({ json, status, text }: TestAnswer): Record<string, unknown> => {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return json as Record<string, unknown>;
};

export async function turnOn(app: TestApp, as: NonNullable<TestRequest['as']>) {
  const post = (path: string, body: object) =>
    app.request('POST', `/api/settings/second-factor/${path}`, { as, body });
  const secret = String(membersOf(await post('begin', { password: PASSWORD }))['secret']);
  const code = codeAt(secret, app.clock.now());
  const recoveryCodes = membersOf(await post('confirm', { code }))['recoveryCodes'] as string[];
  return {
    secret,
    recoveryCodes,
    /** The code of the authenticator’s next step; time advances by one. */
    nextCode(): string {
      app.clock.advance(STEP_MS);
      return codeAt(secret, app.clock.now());
    },
  };
}

/** A user with two-factor login. */
export type EnabledFactor = Awaited<ReturnType<typeof turnOn>>;

/** The first step of a login. @returns the answer, and its ticket if it has one */
export async function firstStep(app: TestApp, identifier: string, password = PASSWORD) {
  const answer = await app.request('POST', '/api/login', { body: { identifier, password } });
  return { answer, ticket: String((answer.json as { ticket?: string }).ticket ?? '') };
}

export const secondStep = (app: TestApp, ticket: string, code: string, from = '203.0.113.7') =>
  app.request('POST', '/api/login/second-step', { body: { ticket, code }, from });
