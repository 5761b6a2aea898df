import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources';
import type { Dialect } from './dialect.ts';
import type { ModelMessage, ModelRequest } from './model.ts';

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
