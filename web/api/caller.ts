/** An answer in the form that Eden's types give it. */
type Answer = {
  /** The body of a success: parsed where it is JSON, an ArrayBuffer where it is bytes, else text. */
  data: unknown;
  /** The body of anything else; of 503 without a response the reason why the server was not reached. */
  error: { status: number; value: unknown } | null;
  status: number;
  response: Response | undefined;
};

type Options = { query?: Record<string, unknown>; headers?: Record<string, string>; fetch?: RequestInit };

type Request = Options & { address: string; method: string; body?: unknown };

type Headers = () => Record<string, string>;

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/**
 * Calls by path, for Eden's types to describe: `caller.alerts({ id }).patch(body, { fetch })` sends PATCH /alerts/ and
 * the id, `caller.data.tape.get({ query })` asks. What is put into a path is not encoded. Bodies go out as JSON. A call
 * fails only when an answer's body does not come whole or is not the JSON that it says.
 * @param address of what the calls are below
 * @param headers of each request, besides those that are given with it
 */
export function createCaller(address: string, headers: Headers): unknown {
  return new Proxy(() => undefined, {
    get: (_target, name) => createCaller(`${address}/${String(name)}`, headers),
    apply(_target, _self, [first, second]: [unknown, Options | undefined]) {
      const cut = address.lastIndexOf('/');
      const [parent, method] = [address.slice(0, cut), address.slice(cut + 1)];
      if (method === 'get') return send({ ...(first as Options), address: parent, method }, headers);
      if (METHODS.has(method)) return send({ ...second, address: parent, method, body: first }, headers);
      const [part] = Object.values(first as Record<string, unknown>);
      return createCaller(`${address}/${String(part)}`, headers);
    },
  });
}

async function send(
  { address, method, query, headers: own, body, fetch: init }: Request,
  headers: Headers,
): Promise<Answer> {
  let response: Response;
  try {
    response = await globalThis.fetch(address + queryText(query), {
      ...init,
      method: method.toUpperCase(),
      headers: {
        ...headers(),
        ...own,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    return { data: null, error: { status: 503, value: cause }, status: 503, response: undefined };
  }
  const { status } = response;
  const value = await bodyOf(response);
  return response.ok
    ? { data: value, error: null, status, response }
    : { data: null, error: { status, value }, status, response };
}

function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return response.json();
  return type.startsWith('application/octet-stream') ? response.arrayBuffer() : response.text();
}

/** With its question mark; nothing for members that are null or left out. Lists name each of theirs. */
function queryText(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== null && one !== undefined)
      .map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
