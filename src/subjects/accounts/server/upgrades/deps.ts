import type { Clock } from '../../../../lib/clock.ts';
import type { UserLimit } from '../../../../platform/http/requestLimits.ts';
import type { NewMessage } from '../../../../platform/outbox/message.ts';
import type { Accounts } from '../service.ts';
import type { Audit } from '../../../../admin/audit/server/service.ts';
import type { UpgradeStore } from './store.ts';

/** What the use cases of upgrades work with. */
export type UpgradesDeps = {
  store: UpgradeStore;
  clock: Clock;
  audit: Audit;
  accounts: Pick<Accounts, 'accountChanged'>;
  outbox: { add(messages: readonly NewMessage[]): void; wake(): void };
  /** The chats of a user that messages can be delivered to. */
  chatsOf(userId: number): readonly Pick<NewMessage, 'platform' | 'chatId'>[];
  countWrite: UserLimit;
};
