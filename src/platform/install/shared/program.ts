/** The running program as a file, and what it was started with. The entry gives it; tests give their own. */
export type Program = {
  /** The executable's path, as the process was started with; Bun's own where it runs from its sources. */
  executable: string;
  /** Whether that file is Bellbird itself, compiled. */
  isStandalone: boolean;
  /** What releases are signed with, Ed25519 in PEM; null in an executable that was built without. */
  releaseKey: string | null;
  /** What programs that are started from here inherit. */
  env: Readonly<Record<string, string | undefined>>;
};
