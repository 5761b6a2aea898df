import { lazy, Suspense, useState } from 'react';
import { formatNumber } from '../../../texts/format.ts';
import { TextField } from '../../../../web/ui/TextField.tsx';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import { useDebounced } from '../../web/parts/useDebounced.ts';
import './AllUsers.css';
import { AuditTrail } from '../../audit/web/shared/AuditTrail.tsx';
import { UserList } from './UserList.tsx';
import { useUsers } from './useUsers.ts';

const EditUserDialog = lazy(async () => ({ default: (await import('./EditUserDialog.tsx')).EditUserDialog }));

/** Specification, section 9. */
const SEARCH_DEBOUNCE_MS = 250;
const MAX_SEARCH = 254;

/** All accounts, to be searched and edited, and below them what administrators did. */
export function AllUsers() {
  const [typed, setTyped] = useState('');
  const { pages, replace } = useUsers(useDebounced(typed.trim(), SEARCH_DEBOUNCE_MS));
  const [editedId, edit] = useState<number | null>(null);
  const total = pages.loaded.data?.total ?? null;
  return (
    <>
      <div className="user-search">
        <TextField
          label="Search users"
          type="search"
          placeholder="Name or email"
          value={typed}
          maxLength={MAX_SEARCH}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p className="muted" role="status">
          {total !== null && `${formatNumber(total, 0)} ${total === 1 ? 'user' : 'users'}`}
        </p>
      </div>
      <LoadedBody loaded={pages.loaded} label="Loading users…" rows={5}>
        {(page) => <UserList page={page} pages={pages} isSearched={typed.trim() !== ''} onEdit={edit} />}
      </LoadedBody>
      {editedId !== null && (
        <Suspense fallback={null}>
          <EditUserDialog
            userId={editedId}
            onClose={() => edit(null)}
            onSaved={(detail) => {
              edit(null);
              if (detail === null) void pages.loaded.reload();
              else replace(detail.user);
            }}
          />
        </Suspense>
      )}
      <AuditTrail />
    </>
  );
}
