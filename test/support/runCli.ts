import { run } from '#src/cli/run.ts';
import { type RunDeps } from '#src/cli/io.ts';
import type { Program } from '#platform/install/shared/processControl.ts';
import { noProgram } from './noProgram.ts';

/** The answers of an operator in order, and the questions. */
export const answer: string[] = [];
export const asked: string[] = [];

export async function cli(
  args: string,
  env: Record<string, string> = {},
  secret: string | null = null,
  openAssets: RunDeps['openAssets'] = () => ({ respond: () => undefined }),
  program: Partial<Program> = {},
): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(args.split(' ').filter(Boolean), {
    io: {
      env,
      wall: { now: () => Date.UTC(2026, 10, 18), monotonic: () => 0 },
      about: { pid: 4711, startedAt: 0, version: '1.2.3', commit: 'abcdef' },
      program: { ...noProgram.program, ...program },
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      readSecret: async () => secret,
      ask: async (prompt) => {
        asked.push(prompt);
        return answer.shift() ?? null;
      },
    },
    openAssets,
    signals: { onStop: () => {}, onCrash: () => {} },
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
