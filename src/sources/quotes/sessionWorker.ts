import { parentPort } from 'node:worker_threads';
import { createLog } from '#lib/log.ts';
import { isRecord } from '#lib/json.ts';
import { holdSpecialDays } from '#market/rules/tradingDay.ts';
import type { SessionOrder, SessionReport } from '#market/sessions/filling.ts';
import { joinSession } from '#market/sessions/join.ts';

const report = (message: SessionReport): void => parentPort?.postMessage(message);

const log = createLog(({ message, properties }) => report({ warning: message, properties }));

const isOrder = (value: unknown): value is SessionOrder =>
  isRecord(value) && typeof value['folder'] === 'string' && Array.isArray(value['dates']);

async function carryOut({ folder, source, dates, make, specialDays }: SessionOrder): Promise<void> {
  holdSpecialDays(report, specialDays);
  const made = (date: string): void => report({ date });
  switch (make.kind) {
    case 'simulated': {
      const { makeSessions } = await import('./simulator/sessions.ts');
      makeSessions({ folder, source, dates, seed: make.seed }, made);
      return;
    }
    case 'recordings': {
      const { recordedSessions } = await import('#market/sessions/fromRecording.ts');
      recordedSessions({ folder, source, dates }, make, log, made);
      return;
    }
    case 'recorded':
      for (const date of dates) {
        joinSession(folder, source, date);
        made(date);
      }
      return;
  }
}

/** Makes whole sessions apart from the server, one order per worker. */
parentPort?.on('message', (order: unknown) => {
  const done = isOrder(order) ? carryOut(order) : Promise.reject(new TypeError('This is no order.'));
  done
    .then(() => report({ finished: true }))
    .catch((error: unknown) => report({ failed: error instanceof Error ? error.message : String(error) }));
});
