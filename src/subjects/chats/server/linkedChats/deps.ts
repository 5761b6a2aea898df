import type { ChatMessage } from '../../rules/chatMessage.ts';
import type { SystemClock } from '../../../../lib/clock.ts';
import type { LinkLimits } from './limits.ts';
import type { ChatAddress, LinkedChatStore } from './store.ts';

/** What the outbox takes of this feature. */
type Outgoing = ChatAddress & { userId: number | null; triggerId: number | null; message: ChatMessage };

export type LinkedChatsDeps = {
  store: LinkedChatStore;
  clock: SystemClock;
  limits: LinkLimits;
  outbox: { add(messages: readonly Outgoing[]): void; wake(): void };
  randomToken(): string;
  /** Whether a platform's bot has a token, so that messages to it can leave. */
  hasBot(platform: ChatAddress['platform']): boolean;
};
