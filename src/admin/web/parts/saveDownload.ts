import { downloadAnswer } from '#lib/contract/download.ts';
import { ApiError, NETWORK_ERROR, unwrap } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';

/**
 * Lets the browser save the file whose one-time address an answer gives; the page stays.
 * @throws ApiError also when it gives no address on this server
 */
export async function saveDownload(pending: Parameters<typeof unwrap<{ url: string }>>[0]): Promise<void> {
  const { url } = await unwrap(pending, readerOf(downloadAnswer));
  if (!url.startsWith('/api/')) throw new ApiError(NETWORK_ERROR, 502, url);
  const link = document.createElement('a');
  link.href = url;
  // Without it a refusal would take the place of the page.
  link.download = '';
  link.click();
}
