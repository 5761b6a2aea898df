import type { Finding } from '#lib/finding.ts';
import type { Inspection } from '#lib/inspection.ts';
import type { Part } from '#platform/app.ts';

/** A bot of a chat platform, as the composition sees it. */
export type Bot = Part & { inspect(): Inspection } & {
  readonly service: {
    /** The bot's name on the platform; null until it is known. */
    username(): string | null;
    /** How its connection stands; null until the platform has answered. */
    finding(): Finding | null;
  };
};

/** A bot without a token: it has nothing to start. */
export const idleBot = (name: string, label: string): Bot => ({
  name,
  service: { username: () => null, finding: () => null },
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
