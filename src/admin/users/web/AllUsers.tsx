import { useState } from 'react';
import { counted, formatNumber, DASH } from '#texts/format.ts';
import { TextField } from '#ui/Field.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { useDebounced } from '#admin/web/parts/adminActions.ts';
import { AuditTrail } from '#admin/audit/web/shared/AuditTrail.tsx';
import { useUsers } from './useUsers.ts';
import { PLAN_NAMES } from '#subjects/accounts/rules/upgrade.ts';
import { SYDNEY } from '#lib/sydneyTime.ts';
import { formatMoment } from '#texts/moment.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pill } from '#ui/Pill.tsx';
import { MoreButton, type Pages, RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { late } from '#web/shared/lateStyles.ts';
import type { User, UserPage } from '../answers/users.ts';

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

function UserList({ page, pages, isSearched, onEdit }: UserListProps) {
  if (page.users.length === 0) {
    return <EmptyState>{isSearched ? 'No users match that name or email.' : 'No users yet.'}</EmptyState>;
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
        {user.username} {user.isAdmin && <Pill variant="accent">Administrator</Pill>}{' '}
        {user.hasSecondFactor && <Pill>Two-factor</Pill>}
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
      <td data-heading="Joined" data-time={user.created_at ?? undefined}>
        {formatMoment(user.created_at, SYDNEY).split(',')[0]}
      </td>
      <td className="row-actions">
        <Button aria-label={`Edit ${user.username}`} onClick={onEdit}>
          Edit
        </Button>
      </td>
    </tr>
  );
}

const EditUserDialog = late(() => import('./EditUserDialog.tsx').then((code) => code.EditUserDialog));

/** Delay of a search after typing, ms (specification, section 9). */
const SEARCH_DEBOUNCE_MS = 250;
const MAX_SEARCH = 254;

export function AllUsers() {
  const [typed, setTyped] = useState('');
  const { pages, replace } = useUsers(useDebounced(typed.trim(), SEARCH_DEBOUNCE_MS));
  const [editedId, edit] = useState<number | null>(null);
  return (
    <>
      <UserSearch typed={typed} onType={setTyped} total={pages.loaded.data?.total ?? null} />
      <LoadedBody loaded={pages.loaded} label="Loading users…" rows={5}>
        {(page) => <UserList page={page} pages={pages} isSearched={typed.trim() !== ''} onEdit={edit} />}
      </LoadedBody>
      {editedId !== null && (
        <EditUserDialog
          userId={editedId}
          onClose={() => edit(null)}
          onSaved={(detail) => {
            edit(null);
            if (detail === null) void pages.loaded.reload();
            else replace(detail.user);
          }}
        />
      )}
      <AuditTrail />
    </>
  );
}

type UserSearchProps = {
  typed: string;
  onType(text: string): void;
  total: number | null;
};

function UserSearch({ typed, onType, total }: UserSearchProps) {
  return (
    <div className="user-search row align-end">
      <TextField
        label="Search users"
        type="search"
        placeholder="Name or email"
        value={typed}
        maxLength={MAX_SEARCH}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onType(event.target.value)}
      />
      <p className="muted" role="status">
        {total !== null && counted(total, 'user')}
      </p>
    </div>
  );
}
