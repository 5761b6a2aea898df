import type { ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';
import { SETTINGS_PATH } from '#web/router/routes.ts';
import { FINDING_KINDS, findingTitle, type ReviewPress } from '#subjects/alerts/rules/review/finding.ts';
import type { FindingShown } from './api.ts';
import { KIND_TITLES, pressLabel } from './words.ts';

type FindingsProps = {
  findings: readonly FindingShown[];
  selected: ReadonlySet<string>;
  isBusy: boolean;
  onToggle(key: string): void;
  onPress(finding: FindingShown, press: ReviewPress): void;
};

/** What to look at, under a heading for each kind. */
export function Findings({ findings, ...rest }: FindingsProps): ReactNode {
  return FINDING_KINDS.map((kind) => {
    const own = findings.filter((one) => one.kind === kind);
    return (
      own.length > 0 && (
        <section key={kind} className="finding-kind" aria-labelledby={`finding-${kind}`}>
          <h2 id={`finding-${kind}`}>
            {KIND_TITLES[kind]} <span className="muted">{own.length}</span>
          </h2>
          <ul className="finding-list plain-list rounded">
            {own.map((one) => (
              <FindingLine key={one.key} finding={one} {...rest} />
            ))}
          </ul>
        </section>
      )
    );
  });
}

type FindingLineProps = Omit<FindingsProps, 'findings'> & { finding: FindingShown };

function FindingLine({ finding, selected, isBusy, onToggle, onPress }: FindingLineProps): ReactNode {
  const title = findingTitle(finding);
  return (
    <li className="finding">
      <label className="finding-select">
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          checked={selected.has(finding.key)}
          onChange={() => onToggle(finding.key)}
        />
      </label>
      <div className="finding-words">
        <p className="finding-title strong">{title}</p>
        <p>{finding.text}</p>
      </div>
      <div className="finding-presses row justify-end">
        {finding.kind === 'broken' && (
          <a className="finding-settings" href={`#${SETTINGS_PATH}`}>
            Open Settings
          </a>
        )}
        {finding.presses.map((press) => (
          <Button key={press} disabled={isBusy} onClick={() => onPress(finding, press)}>
            {pressLabel(press, finding)}
            <span className="visually-hidden"> {title}</span>
          </Button>
        ))}
      </div>
    </li>
  );
}
