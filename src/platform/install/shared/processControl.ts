/** Who starts the next process when this one ends; `none` when nobody does. */
export type Supervisor = 'parent' | 'systemd' | 'docker' | 'other' | 'none';

/** A new version that runs on trial; see `install/launcher`. */
export type Trial = {
  /** Whether the trial goes on. */
  isRunning(): boolean;
  /** Whether what people would change is refused meanwhile, because the old database may come back. */
  holdsChanges(): boolean;
  /** Calls back when it is over and went well: at once when none goes on. */
  whenOver(run: () => void): void;
  /** Calls back when nothing is held any more: at once when nothing is. */
  whenChangesOpen(run: () => void): void;
};

/** What the server may ask of its own process. The entry gives it; tests give their own. */
export type ProcessControl = {
  supervisor: Supervisor;
  /** Ends this process in order, so that the next one begins. It returns at once; a second call changes nothing. */
  restart(): void;
  /** Absent where no version is ever on trial. */
  trial?: Trial;
};
