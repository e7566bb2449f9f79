// Turns a command with parameters into answers of the HTTP API. With several indexes most answers come in one part for
// each index; here they always do.

const cache = new Map();
/** Answers are repeated this long: going back is immediate, and a new generation shows soon. */
const CACHE_MS = 60_000;
const MAX_CACHED = 80;
/** Requests at a time; the server rejects more than it allows to all clients. */
const MAX_PARALLEL = 4;
const RETRY_MS = 250;

let running = 0;
const waiting = [];

/** What the server answered instead of results. */
export class ApiError extends Error {
  constructor(status, message, hint) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/** The token of this tab, if the server wants one. */
export const token = {
  get: () => sessionStorage.getItem('token'),
  set: (value) => {
    sessionStorage.setItem('token', value);
    cache.clear();
  },
};

/** Returns the answers to a command: `[{index, answer}]`, with the index null if there is only one. */
export async function ask(command, parameters, signal) {
  const answer = await fetchJson(`api/v1/${command}`, JSON.stringify(parameters), signal);
  return answer.indexes ?? [{ index: null, answer }];
}

/** Returns the state of the server: version, and indexes with their generations. */
export const health = (signal) => fetchJson('health', null, signal);

/** Returns the answer of the named index, or the first for which `has` holds, or the first. */
export function pick(answers, index, has) {
  return answers.find((one) => index && one.index === index) ?? answers.find((one) => has(one.answer)) ?? answers[0];
}

async function fetchJson(address, body, signal) {
  const key = `${address} ${body ?? ''}`;
  const known = cache.get(key);
  if (known && Date.now() - known.time < CACHE_MS) return known.answer;
  await turn(signal);
  try {
    let response = await send(address, body, signal);
    if (response.status === 503) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      response = await send(address, body, signal);
    }
    const answer = await response.json().catch(() => ({ error: `the server answered with status ${response.status}` }));
    if (!response.ok) throw new ApiError(response.status, answer.error ?? `status ${response.status}`, answer.hint);
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value);
    cache.set(key, { time: Date.now(), answer });
    return answer;
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** Waits until fewer than the maximum of requests are running. */
async function turn(signal) {
  while (running >= MAX_PARALLEL) await new Promise((resolve) => waiting.push(resolve));
  running += 1;
  if (signal?.aborted) {
    running -= 1;
    waiting.shift()?.();
    throw signal.reason;
  }
}

async function send(address, body, signal) {
  const headers = { Accept: 'application/json' };
  if (token.get()) headers.Authorization = `Bearer ${token.get()}`;
  if (body !== null) headers['Content-Type'] = 'application/json';
  try {
    return await fetch(address, { method: body === null ? 'GET' : 'POST', headers, body, signal, cache: 'no-store' });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'the server does not answer', 'is `sextant serve` still running?');
  }
}
