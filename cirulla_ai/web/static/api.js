// The server, as docs/api.md describes it.

export class Refusal extends Error {
  constructor(status, message, field) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

async function asked(method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, {
      method, signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "", null);
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw new Refusal(answer.status, said.error || answer.statusText, said.field ?? null);
}

async function json(method, path, body) {
  const answer = await asked(method, path, body);
  return answer.status === 204 ? null : answer.json();
}

export const get = (path) => json("GET", path);
export const post = (path, body) => json("POST", path, body);
export const put = (path, body) => json("PUT", path, body);
export const remove = (path) => json("DELETE", path);
export const text = async (method, path, body) => (await asked(method, path, body)).text();

/** The path of a game's part for one seat. */
export const gamePath = (game, seat, part = "", query = {}) => {
  const words = new URLSearchParams({ ...(seat === null ? {} : { seat }), ...query });
  return `/api/games/${encodeURIComponent(game)}${part}?${words}`;
};

/** Read a stream of events: `heard(name, data)` for each; returns a function that stops it. */
export function stream(method, path, body, heard, failed = () => {}) {
  const stop = new AbortController();
  (async () => {
    const answer = await asked(method, path, body, stop.signal);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let kept = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (kept + value).split("\n\n");
      kept = parts.pop();
      for (const part of parts) {
        const lines = part.split("\n");
        const of = (key) => lines.find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2);
        if (of("data")) heard(of("event"), JSON.parse(of("data")));
      }
    }
  })().catch((error) => { if (error.name !== "AbortError") failed(error); });
  return () => stop.abort();
}

/** Follow a game: every view as it comes, through lost connections; returns what ends it. */
export function follow(game, seat, seen, lost) {
  let socket, timer, wait = 500, isOver = false;
  const open = () => {
    const url = new URL(gamePath(game, seat, "/socket"), location.href);
    url.protocol = url.protocol.replace("http", "ws");
    socket = new WebSocket(url);
    socket.onmessage = ({ data }) => {
      const said = JSON.parse(data);
      wait = 500;
      lost(false);
      if (said.event === "view") seen(said.data);
    };
    socket.onclose = () => {
      if (isOver) return;
      lost(true);
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, 8000);
    };
  };
  open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    socket.close();
  };
}
