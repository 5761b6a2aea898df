import { useState } from 'react';
import { MESSAGES } from '#texts/messages.ts';
import { messageOf } from '#web/api/client.ts';
import { findingTitle, type ReviewPress } from '#subjects/alerts/rules/review/finding.ts';
import { type FindingShown, pressFindings, type ReviewShown, takeBack, unkeepFindings } from './api.ts';
import { pressedText } from './words.ts';

/** What the last press did. @property undo takes it back; null where that can't be done */
export type PressOutcome = { text: string; isWhole: boolean; undo: (() => Promise<void>) | null };

type PressesOptions = { show(review: ReviewShown): void; reload(): Promise<void> };

/** Takes a press back. @returns the review then, where the server told it */
async function undone(findings: readonly FindingShown[], press: ReviewPress): Promise<ReviewShown | null> {
  if (press === 'keep') return unkeepFindings(keysOf(findings));
  for (const finding of findings) await takeBack(finding, press);
  return null;
}

const keysOf = (findings: readonly FindingShown[]): string[] => findings.map(({ key }) => key);

/** Presses findings. @returns what became of it, and those with which it was done */
async function pressed(findings: readonly FindingShown[], press: ReviewPress) {
  const { failed, review } = await pressFindings(keysOf(findings), press);
  const refused = new Set(failed.map(({ called }) => called));
  const done = findings.filter((one) => !refused.has(one.alerts[0]?.called ?? ''));
  return {
    review,
    done,
    text: pressedText(press, done.map(findingTitle), failed),
    isWhole: failed.length === 0,
  };
}

/** What is done with findings, one thing at a time, and what became of it. */
export function usePresses({ show, reload }: PressesOptions) {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<PressOutcome | null>(null);

  async function work(run: () => Promise<PressOutcome | null>): Promise<void> {
    setBusy(true);
    setOutcome(null);
    try {
      setOutcome(await run());
    } catch (problem) {
      setOutcome({ text: messageOf(problem, MESSAGES.review.press), isWhole: false, undo: null });
    } finally {
      setBusy(false);
    }
  }

  const undo = (findings: readonly FindingShown[], press: ReviewPress) => () =>
    work(async () => {
      const review = await undone(findings, press);
      if (review) show(review);
      else await reload();
      return null;
    });

  const press = (findings: readonly FindingShown[], what: ReviewPress): Promise<void> =>
    work(async () => {
      const { review, done, text, isWhole } = await pressed(findings, what);
      show(review);
      const isFinal = what === 'delete' || what === 'merge' || done.length === 0;
      return { text, isWhole, undo: isFinal ? null : undo(done, what) };
    });

  return { isBusy, outcome, press, forget: () => setOutcome(null) };
}
