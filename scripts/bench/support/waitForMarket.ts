/**
 * Waits until the stream has the whole market, because an earlier load would be measured as too cheap.
 * @param url of the server
 */
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
