import { plainLine } from '#texts/plainText.ts';
import { readArguments } from '../rules/tools.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { toolUse } from '../answers/answer.ts';
import type { ModelUsage, ToolCall } from '#platform/model/model.ts';

/** A call of a tool as an answer's `meta` shows it. */
type ToolUse = Wire<typeof toolUse>;

/** What a question has cost so far, whatever becomes of it. */
export type Tally = {
  readonly usage: ModelUsage;
  readonly tools: readonly ToolUse[];
  spend(usage: ModelUsage): void;
  use(call: Pick<ToolCall, 'name' | 'argumentsText'>, ms: number, ok: boolean): void;
};

const MAX_NAME = 64;
const MAX_ARGUMENTS = 200;

export function createTally(): Tally {
  const usage = { promptTokens: 0, completionTokens: 0 };
  const tools: ToolUse[] = [];
  return {
    usage,
    tools,
    spend(more) {
      usage.promptTokens += more.promptTokens;
      usage.completionTokens += more.completionTokens;
    },
    use({ name, argumentsText }, ms, ok) {
      const text = plainLine(argumentsText, MAX_ARGUMENTS);
      const args = argumentsText.length <= MAX_ARGUMENTS ? (readArguments(argumentsText) ?? text) : text;
      tools.push({ name: plainLine(name, MAX_NAME), arguments: args, ms: Math.round(ms), ok });
    },
  };
}
