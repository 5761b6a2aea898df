import { DASH } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { isUnderWay, type Update, type UpdateStep } from '#admin/updates/answers/update.ts';
import { twoDigits } from '#lib/twoDigits.ts';

const WORDS: Record<UpdateStep['outcome'], string> = { running: 'Running', done: 'Done', failed: 'Failed' };

/** '0.4 s', '12 s', '3 min 05 s'. */
function tookText(ms: number | null): string {
  if (ms === null) return DASH;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 10) return `${(ms / 1000).toFixed(1)} s`;
  const rest = twoDigits(seconds % 60);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${rest} s`;
}

const nameOf = ({ version, commit }: Update['from']): string =>
  [version, commit && `(${commit.slice(0, 8)})`].filter(Boolean).join(' ') || 'the new version';

/** How the update ended, in a sentence; null while it goes on. */
function outcomeOf({ phase, to, from, failure }: Update): { variant: 'info' | 'error'; text: string } | null {
  const reason = failure ?? 'The reason is not known.';
  switch (phase) {
    case 'healthy':
      return { variant: 'info', text: `Updated to ${to ? nameOf(to) : 'the new version'}.` };
    case 'rolledBack':
      return { variant: 'error', text: `${reason} ${nameOf(from)} was put back and runs again.` };
    case 'failed':
      return { variant: 'error', text: `${reason} The server was not changed.` };
    default:
      return null;
  }
}

/** The update under way, else the last one: its steps with their times, and how it ended. */
export function UpdateReport({ update, now }: { update: Update; now: number | null }) {
  const { by, steps, logTail } = update;
  const outcome = outcomeOf(update);
  const title = isUnderWay(update) ? 'Update under way' : 'Last update';
  return (
    <section className="update-report" aria-label={title}>
      <h4>
        {title}
        {by !== null && <span className="muted">, started by {by}</span>}
      </h4>
      <ol aria-live="polite" aria-relevant="additions">
        {steps.map((step, index) => (
          // Steps are only added: one keeps its place, and a name may come twice.
          <StepLine key={index} step={step} now={now} />
        ))}
      </ol>
      {outcome !== null && <Banner variant={outcome.variant}>{outcome.text}</Banner>}
      {logTail.length > 0 && (
        <pre className="update-log" aria-label="The last lines of its log" tabIndex={0}>
          {logTail.join('\n')}
        </pre>
      )}
    </section>
  );
}

/** @param now the server's clock at its last answer: how long a running step has been running */
function StepLine({ step, now }: { step: UpdateStep; now: number | null }) {
  const { name, outcome, startedAt, endedAt, detail } = step;
  const until = endedAt ?? now;
  // The server's clock may have been set meanwhile.
  const tookMs = startedAt === null || until === null ? null : Math.max(0, until - startedAt);
  return (
    <li className={`step-${outcome}`}>
      <span>{name}</span>
      <span className="step-outcome">{WORDS[outcome]}</span>
      <span className="step-took">{tookText(tookMs)}</span>
      {/* A failure stands below, with what else is known of it. */}
      {detail !== null && outcome !== 'failed' && <span className="step-detail">{detail}</span>}
    </li>
  );
}
