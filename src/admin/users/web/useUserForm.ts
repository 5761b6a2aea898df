import { useState } from 'react';
import type { SubscriptionType } from '../../../subjects/accounts/rules/accountRules.ts';
import { checkUserEdit, editedPlan, type EditedUser } from '../../../subjects/accounts/rules/userEdit.ts';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import type { Refusal } from '../../../lib/result.ts';
import { refusalOf } from '../../../../web/api/client.ts';
import { putUser } from './api.ts';
import type { UserDetail } from './readUsers.ts';

/** 'free' is no upgrade: the server keeps it as none. */
export type RequestedChoice = 'none' | SubscriptionType;

export type UserFields = {
  telegramId: string;
  discordId: string;
  requested: RequestedChoice;
  plan: SubscriptionType;
};

const orNull = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());

/** What the form says, as it is sent (specification, section 7.7): a blank ID and no plan as null. */
const toEdit = ({ telegramId, discordId, requested, plan }: UserFields): EditedUser => ({
  telegramId: orNull(telegramId),
  discordId: orNull(discordId),
  requestedSubscriptionType: requested === 'none' || requested === 'free' ? null : requested,
  subscriptionType: plan,
});

const toFields = ({ user }: UserDetail): UserFields => ({
  telegramId: user.telegramId ?? '',
  discordId: user.discordId ?? '',
  requested: user.requestedSubscriptionType ?? 'none',
  plan: user.subscriptionType ?? 'free',
});

/** Why an edit can't be; null when it can. */
function refusalIn(edit: EditedUser, seen: EditedUser): Refusal | null {
  const checked = checkUserEdit(edit, seen);
  if (!checked.ok) return checked.error;
  const plan = editedPlan(seen, checked.value);
  return plan.ok ? null : plan.error;
}

/** An account's form: what is in it, what was refused, and saving it. */
export function useUserForm(detail: UserDetail, onSaved: (saved: UserDetail | null) => void) {
  const [first] = useState(() => toFields(detail));
  const [fields, setFields] = useState(first);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSaving, setSaving] = useState(false);
  return {
    fields,
    refusal,
    isSaving,
    set(change: Partial<UserFields>): void {
      setFields({ ...fields, ...change });
      setRefusal(null);
    },
    async save(): Promise<void> {
      if (isSaving) return;
      const edit = toEdit(fields);
      const seen = toEdit(first);
      const wrong = refusalIn(edit, seen);
      setRefusal(wrong);
      if (wrong !== null) return;
      setSaving(true);
      try {
        onSaved(await putUser(detail.user.id, edit, seen));
      } catch (problem) {
        setRefusal(refusalOf(problem, ADMIN_MESSAGES.saveChanges));
        setSaving(false);
      }
    },
  };
}
