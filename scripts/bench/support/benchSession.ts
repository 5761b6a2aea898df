/** What a signed-in page has in its storage. */
export type BenchSession = { accessToken: string; accessLevel: number };

/** Signs a demo user in, who has calls and everybody else's to look at. @param url of a server in test mode */
export async function seedSession(url: string): Promise<BenchSession> {
  const response = await fetch(`${url}/api/test/seed`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bench' }),
  });
  if (!response.ok) throw new Error(`The bench could not sign in: ${await response.text()}`);
  const { accessToken } = (await response.json()) as { accessToken: string };
  return { accessToken, accessLevel: 1 };
}

/** Waits until the stream tells of the whole market: a load before would look too cheap. @param url of the server */
export async function waitForMarket(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await fetch(`${url}/api/data/stream`);
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (/^data: .*\n\n/m.test(text)) break;
    }
    if (Number(/"stockCount":(\d+)/.exec(text)?.[1] ?? 0) >= 1500) return;
    await Bun.sleep(100);
  }
  throw new Error('The market did not fill up.');
}
