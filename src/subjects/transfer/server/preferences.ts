import { refusalText } from '#platform/http/errors.ts';
import type { TransferFile } from '../rules/checkFile.ts';
import { Tally, type TransferKind, type TransferPreference } from '../rules/kind.ts';

type Preferences = NonNullable<TransferFile['preferences']>;
type Name = keyof Preferences;

const NAMES: Readonly<Record<Name, string>> = {
  quoteSite: 'Quote link',
  weeklyReview: 'Weekly message about alerts',
  adminMessages: 'Messages of administrators on devices',
};

/** The choices of a person that stand alone, each of another subject. */
export function preferencesKind(choices: Readonly<Record<Name, TransferPreference>>): TransferKind {
  const all = Object.entries(choices) as [Name, TransferPreference][];
  return {
    give: ({ userId }) => Object.fromEntries(all.map(([name, { give }]) => [name, give(userId)])),
    take({ userId }, value) {
      const tally = new Tally();
      const sent = value as Preferences;
      for (const [name, { put }] of all) {
        if (sent[name] === undefined) continue;
        try {
          if (put(userId, sent[name])) tally.change();
          else tally.keep();
        } catch (problem) {
          tally.leaveOut(NAMES[name], refusalText(problem));
        }
      }
      return { outcome: tally.outcome(), afterwards: () => undefined };
    },
  };
}
