import { post } from '#support/executable.ts';

/** Somebody who changes an alert again and again, through relays that come and go. */
export type Writer = {
  stop(): Promise<void>;
  /** Acknowledged changes that are not there, and changes that were made more often than they were asked for. */
  check(url: string): Promise<{ acknowledged: number; unanswered: number; lost: number; doubled: number }>;
};

type Alert = { id: number; version: number };

const LOGIC = {
  op: 'AND',
  conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value: 1_000_000 } }],
};
const PAUSE_MS = 100;
/** What a relay answers when the primary gave no answer; by any other refusal nothing was done. */
const NO_ANSWER = new Set([502, 503, 504]);

async function memberToken(url: string, username: string): Promise<string> {
  const account = { username, password: 'writes all the time' };
  await post(`${url}/api/register`, { ...account, platform: 'web' });
  const login = await post(`${url}/api/login`, { identifier: account.username, password: account.password });
  return ((await login.json()) as { accessToken: string }).accessToken;
}

/**
 * @param urls where it writes, by turns
 * @param username an account of its own, as no account has two equal alerts
 */
export async function startWriter(urls: readonly string[], username: string): Promise<Writer> {
  const token = await memberToken(urls[0] ?? '', username);
  const asked = await post(`${urls[0]}/api/alerts`, { symbol: 'BHP', name: 'w0', logic_json: LOGIC }, token);
  if (!asked.ok) throw new Error(`The writer has no alert: ${asked.status} ${await asked.text()}`);
  const { id, version } = (await asked.json()) as Alert;
  const headers = { authorization: token, 'content-type': 'application/json' };
  const count = { asked: 0, acknowledged: 0, unanswered: 0 };
  let isOn = true;
  const write = async (): Promise<void> => {
    count.asked += 1;
    try {
      const body = JSON.stringify({ name: `w${count.asked}` });
      const options = { method: 'PATCH', headers, body, keepalive: false };
      const answer = await fetch(`${urls[count.asked % urls.length]}/api/alerts/${id}`, options);
      await answer.text();
      if (answer.ok) count.acknowledged += 1;
      else if (NO_ANSWER.has(answer.status)) count.unanswered += 1;
    } catch {
      // Nobody said whether it was done.
      count.unanswered += 1;
    }
  };
  const writing = (async () => {
    while (isOn) {
      await write();
      await Bun.sleep(PAUSE_MS);
    }
  })();
  return {
    async stop() {
      isOn = false;
      await writing;
    },
    async check(url) {
      const answer = await fetch(`${url}/api/alerts`, { headers });
      const { alerts } = (await answer.json()) as { alerts: Alert[] };
      const made = (alerts.find((alert) => alert.id === id)?.version ?? 0) - version;
      const { acknowledged, unanswered } = count;
      const lost = Math.max(0, acknowledged - made);
      return { acknowledged, unanswered, lost, doubled: Math.max(0, made - acknowledged - unanswered) };
    },
  };
}
