/**
 * Whether a part of the code could not be fetched, as after an update of the server, which has the parts of its own
 * version only. Browsers give no other sign than their sentence: Chromium, Firefox and Safari in this order; the last is our own.
 */
export const isLoadFailure = (problem: unknown): boolean =>
  problem instanceof Error &&
  /dynamically imported module: |^error loading dynamically imported module|^Importing a module script failed|^Failed to fetch the style sheet/.test(
    problem.message,
  );
