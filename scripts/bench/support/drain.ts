export async function drain(url: string, signal: AbortSignal): Promise<void> {
  try {
    const response = await fetch(url, { signal });
    for await (const _ of response.body ?? []) continue;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
