import { ApiError, NETWORK_ERROR } from '#web/api/client.ts';

/**
 * Lets the browser save the file whose one-time address an answer gives; the page stays.
 * @throws ApiError also when it gives no address on this server
 */
export async function saveDownload(pending: Promise<{ url: string }>): Promise<void> {
  const { url } = await pending;
  if (!url.startsWith('/api/')) throw new ApiError(NETWORK_ERROR, 502, url);
  const link = document.createElement('a');
  link.href = url;
  // Without it a refusal would take the place of the page.
  link.download = '';
  link.click();
}
