import type { Log } from './log.ts';

type Step = { name: string; undo: () => void | Promise<void> };

export type Undo = {
  add(name: string, undo: () => void | Promise<void>): void;
  /** Runs the steps that have not run yet, last first. Never rejects. */
  run(): Promise<void>;
};

/** Undo steps of a start, run last first. Each is tried even if others fail. */
export function createUndo(log: Log): Undo {
  const steps: Step[] = [];
  return {
    add: (name, undo) => void steps.push({ name, undo }),
    async run() {
      for (let step = steps.pop(); step; step = steps.pop()) {
        try {
          await step.undo();
        } catch (error) {
          log.error('Could not stop a part cleanly', { part: step.name, error });
        }
      }
    },
  };
}
