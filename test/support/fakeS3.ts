/** As much of S3 as a backup needs: objects, multipart uploads, lists. */
export function startFakeS3() {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const uploads = new Map<string, Map<number, Uint8Array>>();
  /** The answer instead; null works normally. */
  const state = {
    refusal: null as null | { status: number; code: string },
    isDamaging: false,
    /** Nothing can be removed. */
    isLocked: false,
    largest: 0,
    /** The credential scope of the last signature. */
    scope: '',
  };
  const fault = (status: number, code: string): Response =>
    new Response(`<Error><Code>${code}</Code><Message>no</Message></Error>`, { status });
  const list = (prefix: string): Response => {
    const keys = [...objects].filter(([key]) => key.startsWith(prefix));
    const rows = keys.map(
      ([key, bytes]) => `<Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents>`,
    );
    return new Response(
      `<ListBucketResult><IsTruncated>false</IsTruncated><KeyCount>${rows.length}</KeyCount>${rows.join('')}</ListBucketResult>`,
    );
  };
  const finish = (key: string, id: string): Response => {
    const parts = [...(uploads.get(id) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part);
    uploads.delete(id);
    objects.set(key, Buffer.concat(parts));
    return new Response('<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>');
  };
  const post = (key: string, query: URLSearchParams): Response => {
    if (!query.has('uploads')) return finish(key, query.get('uploadId') ?? '');
    const id = `u${uploads.size + 1}`;
    uploads.set(id, new Map());
    return new Response(
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  };
  const put = (key: string, query: URLSearchParams, body: Uint8Array<ArrayBuffer>): Response => {
    state.largest = Math.max(state.largest, body.length);
    if (state.isDamaging && body.length > 100) body[100] = (body[100] ?? 0) ^ 1;
    const parts = uploads.get(query.get('uploadId') ?? '');
    if (parts) parts.set(Number(query.get('partNumber')), body);
    else objects.set(key, body);
    return new Response('', { headers: { etag: '"e"' } });
  };
  const remove = (key: string, query: URLSearchParams): Response => {
    if (state.isLocked) return fault(403, 'AccessDenied');
    if (query.has('uploadId')) uploads.delete(query.get('uploadId') ?? '');
    else objects.delete(key);
    return new Response(null, { status: 204 });
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { hostname, pathname: path, searchParams } = new URL(request.url);
      // The bucket is in the host name.
      const pathname = hostname.startsWith('vault.') ? `/vault${path}` : path;
      state.scope = /Credential=([^,]*)/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
      const body = await request.bytes();
      if (state.refusal) return fault(state.refusal.status, state.refusal.code);
      const [, bucket, ...rest] = pathname.split('/');
      const key = decodeURIComponent(rest.join('/'));
      if (bucket !== 'vault') return fault(404, 'NoSuchBucket');
      if (request.method === 'PUT') return put(key, searchParams, body);
      if (request.method === 'POST') return post(key, searchParams);
      if (request.method === 'DELETE') return remove(key, searchParams);
      if (key === '') return list(searchParams.get('prefix') ?? '');
      const found = objects.get(key);
      return found ? new Response(found) : fault(404, 'NoSuchKey');
    },
  });
  return {
    objects,
    state,
    place: {
      kind: 's3',
      endpoint: `http://127.0.0.1:${server.port}`,
      region: null,
      isHostStyle: false,
      bucket: 'vault',
      prefix: 'pi',
      keyId: 'id',
      key: 'a-secret-key',
    } as const,
    stop: () => server.stop(true),
  };
}
