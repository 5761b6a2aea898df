/** What the model is told. What comes from outside the server stands in `user` or `tool`, never in `system`. */
export type ModelMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls: readonly ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string };

/** A tool that the model may call; `parameters` is a JSON Schema of an object. */
export type ToolOffer = { name: string; description: string; parameters: Record<string, unknown> };

/** `argumentsText` is what the model wrote: it may be no JSON at all. */
export type ToolCall = { id: string; name: string; argumentsText: string };

export type ModelRequest = {
  messages: readonly ModelMessage[];
  tools?: readonly ToolOffer[];
  maxTokens: number;
  /** Until the answer's end. */
  timeoutMs: number;
  signal?: AbortSignal;
};

/** As the server counted them; estimated where it does not say. */
export type ModelUsage = { promptTokens: number; completionTokens: number };

/** A whole answer: one that was cut off on its way is an error. */
export type ModelAnswer = {
  text: string;
  toolCalls: readonly ToolCall[];
  /** 'length' when the model was stopped at `maxTokens`. What the server filtered out is a `ModelError`. */
  finish: 'stop' | 'length' | 'toolCalls';
  usage: ModelUsage;
  durationMs: number;
};

/** Why there is no answer. `message` is a sentence for the person who asked; it holds neither key nor address. */
export class ModelError extends Error {
  override name = 'ModelError';
  constructor(
    readonly kind:
      | 'timeout'
      | 'unreachable'
      | 'refused'
      | 'tooLong'
      | 'limited'
      | 'cutOff'
      | 'empty'
      | 'unusable'
      | 'noTools',
    message: string,
    /** What the attempt cost as far as it is known. */
    readonly usage: ModelUsage = { promptTokens: 0, completionTokens: 0 },
  ) {
    super(message);
  }
}

/** An OpenAI-compatible chat completions server. */
export type Model = {
  /** As the server calls it. */
  readonly name: string;
  /** @throws ModelError */
  complete(request: ModelRequest): Promise<ModelAnswer>;
};
