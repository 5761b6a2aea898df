import { type ReactNode, useId, useState } from 'react';
import { MESSAGES } from '#texts/messages.ts';
import { messageOf } from '#web/api/client.ts';
import { SETTINGS_PATH } from '#web/router/routes.ts';
import { Banner } from '#ui/Banner.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { type ReviewShown, saveWeekly } from './api.ts';

type WeeklyToggleProps = { review: ReviewShown; onSaved(review: ReviewShown): void };

/** Whether the review is sent once a week. */
export function WeeklyToggle({ review: { weekly, hasPlace }, onSaved }: WeeklyToggleProps): ReactNode {
  const noteId = useId();
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [error, setError] = useState<string | null>(null);
  const change = async (isOn: boolean) => {
    setWanted(isOn);
    setError(null);
    try {
      onSaved(await saveWeekly(isOn));
    } catch (problem) {
      setError(messageOf(problem, MESSAGES.review.press));
    } finally {
      setWanted(null);
    }
  };
  const isOn = wanted ?? weekly;
  return (
    <>
      <div className="review-weekly row">
        <Toggle
          label="Send me this once a week"
          describedBy={noteId}
          checked={isOn}
          disabled={wanted !== null}
          onChange={(next) => void change(next)}
        />
        <span className="muted" id={noteId}>
          {hasPlace ? (
            'To your chats and devices on Saturdays at 10:00 Sydney, only when there is something to look at.'
          ) : (
            <>
              No chat or device takes messages yet: <a href={`#${SETTINGS_PATH}`}>link one in Settings</a>.
            </>
          )}
        </span>
      </div>
      {error !== null && <Banner onDismiss={() => setError(null)}>{error}</Banner>}
    </>
  );
}
