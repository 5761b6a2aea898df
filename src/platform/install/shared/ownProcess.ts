/** What a server tells the process that started it. Other versions read it too: members are added, never changed. */
export type ToParent =
  /** It is about to open the port and asks for it. */
  | { type: 'binding' }
  | { type: 'listening'; port: number }
  /** All parts run. */
  | { type: 'started' }
  /** It has closed the port and will not open it again. */
  | { type: 'released' };

/** What that process tells its server. */
export type ToChild =
  /** The port is free. */
  | { type: 'bind' }
  /** The new version has run well for long enough. */
  | { type: 'trialOver' };

/** The line from a server to the process that started it and watches it. */
export type ParentLine = {
  send(message: ToParent): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Calls back when that process has ended, however it did. */
  onGone(listener: () => void): void;
};

/** What the process knows of itself and of who started it. */
export type OwnProcess = {
  pid: number;
  /** Of who started it. */
  ppid: number;
  /** The words that start this program: its executable, and its first module where it runs from its sources. */
  command: readonly string[];
  isInContainer(): boolean;
  /** What the machine's or container's first process is called; empty where the system does not tell. */
  initName(): string;
  /** Writes to a standard stream: the bytes as they are. */
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void;
  /** Null unless a process of this program started it. */
  parent: ParentLine | null;
};
