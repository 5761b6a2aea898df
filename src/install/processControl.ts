/** Who starts the next process when this one ends; `none` when nobody does. */
export type Supervisor = 'parent' | 'systemd' | 'docker' | 'other' | 'none';

/** What the server may ask of its own process. The entry gives it; tests give their own. */
export type ProcessControl = {
  supervisor: Supervisor;
  /** Ends this process in order, so that the next one begins. It returns at once; a second call changes nothing. */
  restart(): void;
};
