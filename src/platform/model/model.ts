/** Text from outside the server goes into `user` or `tool`, never into `system`. */
export type ModelMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls: readonly ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string };

/** `parameters` is a JSON Schema of an object. */
export type ToolOffer = { name: string; description: string; parameters: Record<string, unknown> };

/** `argumentsText` is written by the model and may be invalid JSON. */
export type ToolCall = { id: string; name: string; argumentsText: string };

export type ModelRequest = {
  messages: readonly ModelMessage[];
  tools?: readonly ToolOffer[];
  maxTokens: number;
  timeoutMs: number;
  signal?: AbortSignal;
};

export type ModelUsage = { promptTokens: number; completionTokens: number };

/** A complete answer. A cut-off one is an error. */
export type ModelAnswer = {
  text: string;
  toolCalls: readonly ToolCall[];
  /** 'length' if it reached `maxTokens`. A filtered answer is a `ModelError`. */
  finish: 'stop' | 'length' | 'toolCalls';
  usage: ModelUsage;
  durationMs: number;
};

/** Why there is no answer. `message` is a sentence for the user, without key and address. */
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
    readonly usage: ModelUsage = { promptTokens: 0, completionTokens: 0 },
  ) {
    super(message);
  }
}

export type Model = {
  /** The server's name of the model. */
  readonly name: string;
  /** @throws ModelError */
  complete(request: ModelRequest): Promise<ModelAnswer>;
};
