import type { CheckResult } from '#lib/checkResult.ts';
import type { Inspection } from '#lib/inspection.ts';
import type { Part } from '#platform/app.ts';

export type Bot = Part & { inspect(): Inspection } & {
  readonly service: {
    username(): string | null;
    /** The status of its connection; null until the platform has answered. */
    checkResult(): CheckResult | null;
  };
};

export const idleBot = (name: string, label: string): Bot => ({
  name,
  service: { username: () => null, checkResult: () => null },
  inspect: () => ({
    label,
    description: 'It has no token, so there is no bot on this platform.',
    summary: { state: 'no token' },
    data: () => null,
  }),
});

declare module '#platform/app.ts' {
  interface App {
    telegramBot: Bot['service'];
    discordBot: Bot['service'];
  }
}
