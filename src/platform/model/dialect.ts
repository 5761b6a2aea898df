import type { ModelRequest, ModelMessage } from './model.ts';
import { saysTooLong } from './sentences.ts';
import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources';

function messageParam(message: ModelMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const calls = message.toolCalls.map(({ id, name, argumentsText }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: argumentsText },
      }));
      // Servers refuse an empty list.
      return {
        role: 'assistant',
        content: message.content,
        ...(calls.length > 0 && { tool_calls: calls }),
      };
    }
  }
}

/** A request in the words that a server understands. */
export function completionParams(
  model: string,
  { messages, tools = [], maxTokens }: ModelRequest,
  { stream, streamOptions, limit }: Dialect,
): ChatCompletionCreateParams {
  return {
    model,
    messages: messages.map(messageParam),
    [limit]: maxTokens,
    stream,
    ...(stream && streamOptions && { stream_options: { include_usage: true } }),
    ...(tools.length > 0 && {
      tools: tools.map((offer) => ({ type: 'function' as const, function: offer })),
    }),
  };
}

/** What a server understands of the request; all that is optional is tried until it refuses it. */
export type Dialect = {
  /** Answers in pieces. */
  stream: boolean;
  /** `stream_options`, which asks for the usage at the end of a stream. */
  streamOptions: boolean;
  /** The older name of the limit is what many local servers know; newer ones refuse it. */
  limit: 'max_completion_tokens' | 'max_tokens';
};

export const FULL_DIALECT: Dialect = { stream: true, streamOptions: true, limit: 'max_completion_tokens' };

/** What is tried next after a refusal; 'noTools' when it is the tools that the server does not take. */
export type NextTry = Dialect | 'noTools' | null;

const mentionsTools = (reason: string): boolean =>
  /\btool(s|_choice|\b| use| call)|function call/.test(reason);

/**
 * Reads out of a server's refusal what it did not understand. Servers word it freely, so a member that is named is
 * left out; when none is named, those that servers refuse most are left out one after the other.
 * @param reason the refusal's body
 * @param dialect what was sent
 */
export function nextTry(
  reason: string,
  dialect: Dialect,
  { tools = [] }: Pick<ModelRequest, 'tools'>,
): NextTry {
  const said = reason.toLowerCase();
  const { stream, streamOptions, limit } = dialect;
  if (stream && streamOptions && said.includes('stream_options')) return { ...dialect, streamOptions: false };
  if (limit === 'max_completion_tokens' && said.includes('max_completion_tokens')) {
    return { ...dialect, limit: 'max_tokens' };
  }
  if (tools.length > 0 && mentionsTools(said)) return 'noTools';
  if (stream && !said.includes('stream_options') && /\bstream/.test(said))
    return { ...dialect, stream: false };
  // A prompt that is too long fails in every dialect.
  if (saysTooLong(said)) return null;
  if (stream && streamOptions) return { ...dialect, streamOptions: false };
  if (limit === 'max_completion_tokens') return { ...dialect, limit: 'max_tokens' };
  return tools.length > 0 ? 'noTools' : null;
}
