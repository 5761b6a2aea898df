import { useCallback } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { isWebAddress } from '#subjects/announcements/web/shared/newsRequests.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { fetchMessages } from './useChannels.ts';
import { momentText } from './OutcomeText.tsx';
import type { Channel, ChannelMessage } from '../answers/channels.ts';

type RecentMessagesProps = { channel: Pick<Channel, 'id' | 'name'>; onClose: () => void };

/** Shows recent messages as text. Attachments are named but not fetched. */
export function RecentMessages({ channel: { id, name }, onClose }: RecentMessagesProps) {
  const load = useCallback(() => fetchMessages(id), [id]);
  const loaded = useLoaded(load, ADMIN_MESSAGES.loadMessages);
  return (
    <DialogSheet
      open
      title={`Recent messages of ${name}`}
      onClose={onClose}
      footer={
        <Button disabled={loaded.isLoading} onClick={() => void loaded.reload()}>
          Refresh
        </Button>
      }
    >
      <LoadedBody loaded={loaded} label="Loading messages…">
        {({ messages, note }) => (
          <>
            {note !== null && <p className="muted">{note}</p>}
            {messages.length === 0 ? (
              <EmptyState>No messages.</EmptyState>
            ) : (
              <ol className="stack break-words">
                {messages.map((message, index) => (
                  <Message key={`${message.message_id} ${index}`} message={message} />
                ))}
              </ol>
            )}
          </>
        )}
      </LoadedBody>
    </DialogSheet>
  );
}

function Message({ message: { timestamp, author, content, attachments } }: { message: ChannelMessage }) {
  const { display_name: name, username, id } = author;
  return (
    <li>
      <p>
        <strong>{name ?? username ?? (id || 'Unknown')}</strong>{' '}
        {timestamp !== null && (
          <time className="muted" dateTime={timestamp}>
            {momentText(timestamp)}
          </time>
        )}
      </p>
      {content !== '' && <p className="text-lines">{content}</p>}
      {attachments.length > 0 && (
        <ul className="bullets" aria-label="Attachments">
          {attachments.map((file, index) => (
            <li key={`${file.id} ${index}`}>
              {isWebAddress(file.url) ? (
                <a href={file.url} target="_blank" rel="noopener noreferrer">
                  {file.name}
                </a>
              ) : (
                file.name
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
