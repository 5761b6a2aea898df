import { useState } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { request, messageOf } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';
import { type ConnectionTest, connectionsAnswer, connectionTestAnswer } from '../answers/reachability.ts';

type Connections = NonNullable<ReturnType<typeof connectionsAnswer.read>>;

/** What a test gave, or why there was none. */
export type Outcome = ConnectionTest | { refusal: string };

export type TestsState = {
  /** The key of what is tried now; null for nothing. */
  running: string | null;
  /** By the key of what was tried. */
  outcomes: Readonly<Record<string, Outcome>>;
  run(key: string): Promise<void>;
};

const fetchConnections = (): Promise<Connections> =>
  request('GET /api/admin/connections', { read: readerOf(connectionsAnswer) });

/** What is set up here, and the tests of it, one at a time. */
export function useConnections(): { loaded: Loaded<Connections>; tests: TestsState } {
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
          note(key, await asAdminAction('other', asked));
        } catch (problem) {
          note(key, { refusal: messageOf(problem, ADMIN_MESSAGES.testConnection) });
        } finally {
          setRunning(null);
        }
      },
    },
  };
}
