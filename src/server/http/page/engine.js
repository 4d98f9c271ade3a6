// The engine behind a WebSocket: commands and answers in order, one open stream, and a new connection where one breaks.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

/** The answers to some commands, in a session of their own. */
export function ask(url, lines) {
  return new Promise((resolve, reject) => {
    const engine = new Engine(url);
    engine.listen((connected) => {
      const answers = connected ? Promise.all(lines.map((line) => engine.send(line))) : Promise.reject(new Gone("there is no connection to the engine"));
      answers.then(resolve, reject).finally(() => engine.close());
    });
  });
}

/** The connection is gone, and with it the answer. */
export class Gone extends Error {}

export class Engine {
  /** `greeting` is what each connection is asked first; `greeted` has the answers. */
  constructor(url, greeting = []) {
    this.url = url;
    this.greeting = greeting;
    this.greeted = [];
    this.onLink = () => {};
    this.socket = null;
    this.wait = FIRST_WAIT;
    /** Whether this connection had an answer, and why it has none. */
    this.welcome = false;
    this.refusal = "";
    this.number = 0;
    this.reset();
    this.connect();
  }

  /** `onLink(connected, reason)` is told of a connection that there is, and of each change. */
  listen(onLink) {
    this.onLink = onLink;
    if (this.connected) onLink(true);
  }

  reset() {
    /** Commands whose answers have not ended, in order. */
    this.waiting = [];
    this.rest = "";
    /** Answer that is being read: {ok, lines}. */
    this.answer = null;
  }

  connect() {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.welcome = false;
      this.refusal = "";
      this.greeted = this.greeting.map((line) => this.send(line));
      // Who reads them hears of errors.
      for (const answer of this.greeted) answer.catch(() => {});
      this.onLink(true);
    };
    socket.onmessage = (event) => this.read(event.data);
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      const waiting = this.waiting;
      this.reset();
      this.socket = null;
      this.onLink(false, this.refusal || event.reason);
      for (const command of waiting) command.reject(new Gone("the connection to the engine is gone"));
      this.again = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }

  /** Ends the session for good. */
  close() {
    const { socket, waiting } = this;
    this.reset();
    this.socket = null;
    clearTimeout(this.again);
    socket?.close();
    for (const command of waiting) command.reject(new Gone("the session has ended"));
  }

  get connected() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Sends a command; its answer's text, or an error with the engine's words. `onLine` gets each line of a stream. */
  send(text, onLine = null) {
    return new Promise((resolve, reject) => {
      if (!this.connected) {
        reject(new Gone("there is no connection to the engine"));
        return;
      }
      this.number += 1;
      this.waiting.push({ id: String(this.number), onLine, resolve, reject });
      this.socket.send(`${this.number} ${text}\n`);
    });
  }

  /** Ends a search that waits for an interrupt: it answers with what it has. */
  interrupt() {
    if (this.connected && this.waiting.length) this.socket.send("# interrupt\n");
  }

  read(data) {
    this.rest += data;
    let from = 0;
    for (let end = this.rest.indexOf("\n"); end >= 0; end = this.rest.indexOf("\n", from)) {
      this.line(this.rest.slice(from, end).replace(/\r$/, ""));
      from = end + 1;
    }
    this.rest = this.rest.slice(from);
  }

  line(line) {
    if (!this.answer) {
      const head = /^([=?])(\d*) ?(.*)$/.exec(line);
      if (!head) {
        // Blocks between answers, such as those of the solver.
        this.waiting[0]?.onLine?.(line);
        return;
      }
      this.answer = { ok: head[1] === "=", lines: head[3] ? [head[3]] : [] };
    } else if (line === "") {
      const { ok, lines } = this.answer;
      const command = this.waiting.shift();
      this.answer = null;
      const text = lines.join("\n");
      // A server that is full says so and hangs up: whoever asks again soon would only keep it busy.
      if (ok && !this.welcome) {
        this.welcome = true;
        this.wait = FIRST_WAIT;
      } else if (!ok && !this.welcome) this.refusal ||= text;
      if (ok) command?.resolve(text);
      else command?.reject(new Error(text));
    } else {
      const stream = this.waiting[0]?.onLine;
      if (stream && line.startsWith("info ")) stream(line);
      else this.answer.lines.push(line);
    }
  }
}
