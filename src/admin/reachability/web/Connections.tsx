import { useState } from 'react';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { formatNumber } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pill } from '#ui/Pill.tsx';
import { messageOf, readerOf, request } from '#web/api/client.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import {
  type Connection,
  connectionsAnswer,
  type ConnectionTest,
  connectionTestAnswer,
} from '../answers/reachability.ts';

type ConnectionsSeen = NonNullable<ReturnType<typeof connectionsAnswer.read>>;

type Outcome = ConnectionTest | { refusal: string };

type TestsState = {
  running: string | null;
  outcomes: Readonly<Record<string, Outcome>>;
  run(key: string): Promise<void>;
};

const fetchConnections = (): Promise<ConnectionsSeen> =>
  request('GET /api/admin/connections', { read: readerOf(connectionsAnswer) });

function useConnections(): { loaded: Loaded<ConnectionsSeen>; tests: TestsState } {
  const loaded = useLoaded(fetchConnections, ADMIN_MESSAGES.loadConnections);
  const [running, setRunning] = useState<string | null>(null);
  const [outcomes, setOutcomes] = useState<TestsState['outcomes']>({});
  const note = (key: string, outcome: Outcome) => setOutcomes((known) => ({ ...known, [key]: outcome }));
  return {
    loaded,
    tests: {
      running,
      outcomes,
      async run(key) {
        if (running !== null) return;
        setRunning(key);
        try {
          const asked = request('POST /api/admin/connections/:key/test', {
            params: { key },
            read: readerOf(connectionTestAnswer),
          });
          note(key, await asAdminAction(asked));
        } catch (problem) {
          note(key, { refusal: messageOf(problem, ADMIN_MESSAGES.testConnection) });
        } finally {
          setRunning(null);
        }
      },
    },
  };
}

export function Connections() {
  const { loaded, tests } = useConnections();
  return (
    <LoadedBody loaded={loaded} label="Loading connections…">
      {({ connections }) =>
        connections.length === 0 ? (
          <EmptyState>No external services are configured.</EmptyState>
        ) : (
          <ul className="stack gap-4" aria-label="Connections">
            {connections.map((connection) => (
              <ConnectionItem key={connection.key} connection={connection} tests={tests} />
            ))}
          </ul>
        )
      }
    </LoadedBody>
  );
}

type ConnectionItemProps = { connection: Connection; tests: TestsState };

function ConnectionItem({ connection: { key, name, tries, costs }, tests }: ConnectionItemProps) {
  const isRunning = tests.running === key;
  return (
    <li className="connection">
      <div>
        <h3>{name}</h3>
        <p className="muted">
          {tries}
          {costs && ' A test may incur a small charge and is recorded in the audit log.'}
        </p>
      </div>
      <Button
        disabled={tests.running !== null && !isRunning}
        aria-busy={isRunning}
        aria-label={`Test ${name}`}
        onClick={() => void tests.run(key)}
      >
        {isRunning ? 'Testing…' : 'Test'}
      </Button>
      <div className="connection-outcome" role="status">
        <OutcomeText outcome={tests.outcomes[key]} />
      </div>
    </li>
  );
}

const WORDS = { ok: 'Works', warning: 'Warning', wrong: 'Does not work' } as const;
const VARIANTS = { ok: 'up', warning: 'warn', wrong: 'down' } as const;

const tookText = (ms: number): string =>
  ms < 1000 ? `${formatNumber(ms, 0)} ms` : `${formatNumber(ms / 1000, 1)} s`;

function OutcomeText({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined) return null;
  if ('refusal' in outcome) return <Banner>{outcome.refusal}</Banner>;
  const { state, says, remedy, tookMs }: ConnectionTest = outcome;
  return (
    <>
      <p>
        <Pill variant={VARIANTS[state]}>{WORDS[state]}</Pill> {says}{' '}
        <span className="muted">In {tookText(tookMs)}.</span>
      </p>
      {remedy !== '' && <p>{remedy}</p>}
    </>
  );
}
