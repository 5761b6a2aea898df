import { readChoice, readText } from '#lib/read.ts';
import { failed, ok, refuse, type Result } from '#lib/result.ts';
import { type ChatPlatform, checkChatId } from '#platform/chatClients/rules/chatPlatform.ts';
import type { SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import { isAbove, type PaidPlan } from './upgrade.ts';

export type EditedUser = {
  /** The ID of the account's chat on each platform; null for none. */
  telegramId: string | null;
  discordId: string | null;
  requestedSubscriptionType: PaidPlan | null;
  subscriptionType: SubscriptionType;
};

/** An edit; omitted members keep their value. */
export type SentEdit = Partial<Record<keyof EditedUser, unknown>>;

const CHAT_FIELDS = { telegramId: 'telegram', discordId: 'discord' } as const satisfies Record<
  string,
  ChatPlatform
>;

const readRequested = readChoice(['none', 'free', 'basic', 'premium'] as const);
const readPlan = readChoice<SubscriptionType>(['free', 'basic', 'premium']);

/** 'free' is not an upgrade, so it means none, like 'none' and null. @returns undefined for any other value */
export function readRequestedPlan(sent: unknown): PaidPlan | null | undefined {
  if (sent === null || sent === '') return null;
  const choice = readRequested(sent);
  if (choice === null) return undefined;
  return choice === 'basic' || choice === 'premium' ? choice : null;
}

function checkChatField(field: keyof typeof CHAT_FIELDS, sent: unknown): Result<string | null> {
  const typed = sent === null ? '' : readText(sent)?.trim();
  if (typed === '') return ok(null);
  const checked = checkChatId(CHAT_FIELDS[field], typed ?? '?');
  return checked.ok ? checked : failed({ ...checked.error, field });
}

/** Drops members that equal what the form showed. */
const meant = (sent: SentEdit, seen: SentEdit): SentEdit =>
  Object.fromEntries(
    Object.entries(sent).filter(
      ([field, value]) => value !== undefined && value !== seen[field as keyof SentEdit],
    ),
  );

/**
 * Checks an edit (specification, section 5); a blank ID means unlinked.
 * @param seen what the form showed. A member that was not edited keeps its current value, so that an old form reverts
 * nothing
 * @returns the fields to change, or the first refusal
 */
export function checkUserEdit(sent: SentEdit, seen: SentEdit = {}): Result<Partial<EditedUser>> {
  const { telegramId, discordId, requestedSubscriptionType, subscriptionType } = meant(sent, seen);
  const edit: Partial<EditedUser> = {};
  for (const [field, value] of Object.entries({ telegramId, discordId })) {
    if (value === undefined) continue;
    const name = field as keyof typeof CHAT_FIELDS;
    const checked = checkChatField(name, value);
    if (!checked.ok) return checked;
    edit[name] = checked.value;
  }
  if (requestedSubscriptionType !== undefined) {
    const requested = readRequestedPlan(requestedSubscriptionType);
    if (requested === undefined) {
      return refuse(
        'The requested upgrade must be none, free, basic or premium',
        'requestedSubscriptionType',
      );
    }
    edit.requestedSubscriptionType = requested;
  }
  if (subscriptionType !== undefined) {
    const plan = readPlan(subscriptionType);
    if (plan === null) return refuse('The plan must be free, basic or premium', 'subscriptionType');
    edit.subscriptionType = plan;
  }
  return ok(edit);
}

export type PlanState = Pick<EditedUser, 'subscriptionType' | 'requestedSubscriptionType'>;

/**
 * The plan after an edit. A request that the new plan fulfils is removed.
 * @returns a refusal if the requested plan is not above the account's
 */
export function editedPlan(now: PlanState, edit: Partial<PlanState>): Result<PlanState> {
  const subscriptionType = edit.subscriptionType ?? now.subscriptionType;
  const asked = edit.requestedSubscriptionType;
  if (asked && !isAbove(asked, subscriptionType)) {
    return refuse('The requested upgrade must be above the current plan', 'requestedSubscriptionType');
  }
  const requested = asked === undefined ? now.requestedSubscriptionType : asked;
  const isOpen = requested !== null && isAbove(requested, subscriptionType);
  return ok({ subscriptionType, requestedSubscriptionType: isOpen ? requested : null });
}
