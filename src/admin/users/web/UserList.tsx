import { PLAN_NAMES } from '../../../subjects/accounts/rules/upgrade.ts';
import { DASH, formatNumber } from '../../../texts/format.ts';
import { SYDNEY } from '../../../market/rules/sydneyTime.ts';
import { formatMoment } from '../../../texts/moment.ts';
import { Button } from '../../../../web/ui/Button.tsx';
import { EmptyState } from '../../../../web/ui/EmptyState.tsx';
import { Pill } from '../../../../web/ui/Pill.tsx';
import { MoreButton } from '../../web/parts/MoreButton.tsx';
import { RecordTable } from '../../web/parts/RecordTable.tsx';
import type { Pages } from '../../web/parts/usePages.ts';
import type { User, UserPage } from './readUsers.ts';

const HEADINGS = [
  'ID',
  'Username',
  'Email',
  'Plan',
  'Requested',
  'Tokens in / out',
  'Telegram',
  'Discord',
  'Joined',
  'Actions',
];

type UserListProps = {
  page: UserPage;
  pages: Pages<UserPage>;
  isSearched: boolean;
  onEdit(id: number): void;
};

/** The accounts that match, and the way to those that come after. */
export function UserList({ page, pages, isSearched, onEdit }: UserListProps) {
  if (page.users.length === 0) {
    return <EmptyState>{isSearched ? 'No user matches that name or email.' : 'No users yet.'}</EmptyState>;
  }
  return (
    <>
      <RecordTable label="All users" headings={HEADINGS} isBusy={pages.loaded.isLoading}>
        {page.users.map((user) => (
          <UserRow key={user.id} user={user} onEdit={() => onEdit(user.id)} />
        ))}
      </RecordTable>
      <MoreButton pages={pages} what="users" />
    </>
  );
}

function UserRow({ user, onEdit }: { user: User; onEdit(): void }) {
  const { subscriptionType: plan, requestedSubscriptionType: requested } = user;
  return (
    <tr>
      <td data-heading="ID">{user.id}</td>
      <th scope="row">
        {user.username} {user.isAdmin && <Pill variant="accent">Administrator</Pill>}
      </th>
      <td data-heading="Email">{user.email ?? DASH}</td>
      <td data-heading="Plan">{plan === null ? DASH : PLAN_NAMES[plan]}</td>
      <td data-heading="Requested">
        {requested === null ? DASH : <Pill variant="warn">{PLAN_NAMES[requested]}</Pill>}
      </td>
      <td data-heading="Tokens in / out">
        {formatNumber(user.promptTokens, 0)} / {formatNumber(user.completionTokens, 0)}
      </td>
      <td data-heading="Telegram">{formatNumber(user.telegramCount, 0)}</td>
      <td data-heading="Discord">{formatNumber(user.discordCount, 0)}</td>
      <td data-heading="Joined">{formatMoment(user.created_at, SYDNEY).split(',')[0]}</td>
      <td className="record-actions">
        <Button aria-label={`Edit ${user.username}`} onClick={onEdit}>
          Edit
        </Button>
      </td>
    </tr>
  );
}
