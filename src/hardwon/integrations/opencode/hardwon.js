// Built from integrations/opencode/src: change it there.

// shared/daemon.ts
import { spawn } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
var DELIVER = 250;
var PAUSE = 20;
var MOST_KEPT = 500;
var MOST_CHARACTERS = 4e6;
var START_AGAIN = 3e4;
var LATE = 3;
var REST = 3e4;
var TRY_AGAIN = 500;
var MOST_TRIES = 10;
var NOT_HEARD = { heard: false, answer: "" };
var Daemon = class {
  constructor(place) {
    this.place = place;
  }
  place;
  kept = [];
  keptCharacters = 0;
  underWay = /* @__PURE__ */ new Set();
  started = 0;
  late = 0;
  restUntil = 0;
  /** Nobody waits because there was none; one that comes up is asked again at once. */
  absent = false;
  tries = 0;
  flushing = false;
  /** Its answer within so many milliseconds; empty when there was none. What it could not be told is told later. */
  async ask(event, body, limit) {
    const message = { host: this.place.client, event, body };
    if (Date.now() < this.restUntil) {
      this.deliver(message);
      return "";
    }
    const outcome = await this.insist(message, limit);
    if (!outcome.heard) {
      this.absent = true;
      this.wasLate();
      this.keep(message);
    }
    return outcome.answer;
  }
  /** Nobody waits for an answer. */
  tell(event, body) {
    this.deliver({ host: this.place.client, event, body });
  }
  /** A call of an agent's: null when nobody heard it. */
  async call(tool, body, limit) {
    const outcome = await this.insist({ host: "mcp", event: tool, body }, limit);
    return outcome.heard ? outcome.answer : null;
  }
  /** Before the first message: a daemon that has to be started is there by then. */
  wake() {
    this.track(
      this.exchange({ host: "control", event: "status", body: "" }, DELIVER).then((outcome) => {
        if (!outcome.heard) this.start();
      })
    );
  }
  /** Everything that was said is delivered, or the time is over. */
  async finish(limit) {
    const until = Date.now() + limit;
    this.tries = 0;
    while (Date.now() < until) {
      await within(Promise.allSettled([...this.underWay]), until - Date.now());
      await within(this.flush(), until - Date.now());
      if (!this.kept.length && !this.underWay.size) return;
      await sleep(PAUSE);
    }
  }
  deliver(message) {
    if (this.kept.length) {
      this.keep(message);
      this.track(this.flush());
      return;
    }
    this.track(
      this.exchange(message, 0).then((outcome) => {
        if (outcome.heard) return;
        this.start();
        this.keep(message);
      })
    );
  }
  async insist(message, limit) {
    const until = Date.now() + limit;
    let outcome = NOT_HEARD;
    while (Date.now() < until) {
      outcome = await this.exchange(message, until - Date.now());
      if (outcome.heard) break;
      this.start();
      await sleep(Math.min(PAUSE, Math.max(1, until - Date.now())));
    }
    if (outcome.heard && this.kept.length) this.track(this.flush());
    return outcome;
  }
  /** In order, and each once more where it is not known whether it was heard: the journal keeps each event once. */
  async flush() {
    if (this.flushing) return;
    this.flushing = true;
    try {
      for (let first = this.kept[0]; first; first = this.kept[0]) {
        if (!(await this.exchange(first, 0)).heard) {
          this.start();
          this.again();
          return;
        }
        this.tries = 0;
        if (this.kept[0] === first) this.drop();
      }
    } finally {
      this.flushing = false;
    }
  }
  keep(message) {
    this.kept.push(message);
    this.keptCharacters += message.body.length;
    while (this.kept.length > MOST_KEPT || this.keptCharacters > MOST_CHARACTERS) {
      this.drop();
    }
    this.again();
  }
  drop() {
    this.keptCharacters -= this.kept.shift()?.body.length ?? 0;
  }
  again() {
    if (this.tries++ < MOST_TRIES) setTimeout(() => this.track(this.flush()), TRY_AGAIN).unref();
  }
  /** One connection. With a limit of 0 no answer is due, and it is heard when it is written. */
  exchange(message, limit) {
    return new Promise((resolve) => {
      if (!isPrivate(this.place.socket)) return resolve(NOT_HEARD);
      const header = `1 ${this.place.version} ${message.host} ${message.event} ${Math.floor(limit)}
`;
      const socket = connect(this.place.socket);
      let answer = "";
      let connected = false;
      let over = false;
      const done = (outcome) => {
        over = true;
        clearTimeout(timer);
        socket.destroy();
        resolve(outcome);
      };
      const timer = setTimeout(() => {
        if (limit) this.wasLate();
        done({ heard: connected, answer: "" });
      }, limit || DELIVER);
      socket.setEncoding("utf8");
      socket.on("connect", () => {
        connected = true;
        if (over) return void socket.destroy();
        socket.write(header + message.body, () => noMore(socket));
      });
      socket.on("data", (piece) => {
        answer += piece;
      });
      socket.on("end", () => {
        this.late = 0;
        if (this.absent) this.restUntil = 0;
        this.absent = false;
        done({ heard: true, answer });
      });
      socket.on("error", () => done(NOT_HEARD));
    });
  }
  wasLate() {
    if (++this.late < LATE) return;
    this.late = 0;
    this.restUntil = Date.now() + REST;
  }
  start() {
    if (Date.now() - this.started < START_AGAIN) return;
    this.started = Date.now();
    try {
      const [program, ...words] = readFileSync(this.place.start, "utf8").trim().split("\n");
      if (!program) return;
      const child = spawn(program, [...words, "serve"], { detached: true, stdio: "ignore", cwd: "/" });
      child.on("error", () => {
      });
      child.unref();
    } catch {
    }
  }
  track(work) {
    const tracked = work.catch(() => {
    }).finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
  }
};
function noMore(socket) {
  const { _handle: below } = socket;
  if (process.versions.bun && typeof below?.shutdown === "function") below.shutdown();
  else socket.end();
}
function isPrivate(socket) {
  if (socket.endsWith("/daemon.sock")) return true;
  try {
    const folder = lstatSync(dirname(socket));
    return folder.uid === process.getuid?.() && (folder.mode & 61503) === 16384;
  } catch {
    return false;
  }
}
function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
async function within(work, milliseconds) {
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(() => resolve(void 0), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

// opencode/src/hooks.ts
import { randomBytes } from "node:crypto";

// opencode/src/sessions.ts
var Session = class {
  /** Empty for a session of its own, else the one that it works for. */
  parent = "";
  /** The last prompt's message. */
  prompt = "";
  /** What was typed as a command, until the prompt that is made of it comes. */
  command = null;
  /** What the agent said last and nobody was told yet. */
  said = "";
  compacting = false;
  /** What is to be said at its start, or after a compaction, with the next prompt. */
  opening = null;
  /** What came too late for its own result, and goes with the next one. */
  late = [];
  /** A call that the person is to be asked about, and the prompt in which it was held up. */
  asked = /* @__PURE__ */ new Map();
};
var Bounded = class {
  constructor(most) {
    this.most = most;
  }
  most;
  held = /* @__PURE__ */ new Map();
  get(key) {
    return this.held.get(key);
  }
  set(key, value) {
    this.held.delete(key);
    this.held.set(key, value);
    for (const oldest of this.held.keys()) {
      if (this.held.size <= this.most) break;
      this.held.delete(oldest);
    }
    return value;
  }
  take(key) {
    const found = this.held.get(key);
    this.held.delete(key);
    return found;
  }
  entries() {
    return [...this.held];
  }
};

// opencode/src/hooks.ts
var START = 800;
var ANSWER = 250;
var SPARE = 100;
var LOOK_UP = 200;
var PARTING = 1e3;
var MADE_AT_ONCE = 1e4;
var MOST_SESSIONS = 200;
var MOST_CALLS = 500;
var LONGEST_SPEECH = 1e5;
var ACTS = /* @__PURE__ */ new Set(["bash", "edit", "write", "multiedit", "patch", "apply_patch"]);
var ASK_FIRST = "\nAsk the user about this now. When they have answered, issue the same call again if they agree.";
var HeldUp = class extends Error {
};
function guarded(limit, hook) {
  return async (...given) => {
    try {
      const apply = await within(hook(...given), limit + SPARE);
      apply?.();
    } catch (problem) {
      if (problem instanceof HeldUp) throw problem;
    }
  };
}
function hooks(daemon, given, origin2, own) {
  const sessions = new Bounded(MOST_SESSIONS);
  const notes = new Bounded(MOST_CALLS);
  const intents = new Bounded(MOST_CALLS);
  const over = new Bounded(MOST_CALLS);
  let servers = [];
  const known = (id) => sessions.get(id) ?? sessions.set(id, new Session());
  const wire = (id, session, more) => JSON.stringify({
    session: session.parent || id,
    agent: session.parent ? id : "",
    prompt: session.prompt,
    directory: given.directory,
    at: Date.now(),
    origin: origin2,
    ...more
  });
  async function ask(event, id, session, more, limit = ANSWER) {
    const reply = parsed(await daemon.ask(event, wire(id, session, more), limit));
    if (reply.notice) given.client.tui?.showToast({ body: { message: reply.notice, variant: "info" } }).catch(() => {
    });
    return reply;
  }
  const tell = (event, id, session, more) => daemon.tell(event, wire(id, session, more));
  async function met(id) {
    const here = sessions.get(id);
    if (here) return here;
    const session = known(id);
    const asked = given.client.session?.get({ path: { id } }).catch(() => void 0);
    const found = await within(asked, LOOK_UP);
    session.parent = rooted(found?.data?.parentID ?? "");
    if (!session.parent) session.opening = ask("session.resumed", id, session, {}, START);
    return session;
  }
  const rooted = (parent) => sessions.get(parent)?.parent || parent;
  async function happened(occurrence) {
    const { properties } = occurrence;
    const id = properties.sessionID ?? properties.info?.id ?? "";
    if (occurrence.type === "session.created" && properties.info) {
      const session = known(properties.info.id);
      session.parent = rooted(properties.info.parentID ?? "");
      if (!session.parent) session.opening = ask(occurrence.type, properties.info.id, session, { properties }, START);
    } else if (occurrence.type === "message.part.updated" && properties.part?.type === "tool") {
      await ended(id, properties.part);
    } else if (occurrence.type === "session.idle" || occurrence.type === "session.error") {
      const session = sessions.get(id);
      if (!session?.prompt) return;
      tell(occurrence.type, id, session, { properties, said: session.said });
      session.said = "";
    } else if (occurrence.type === "session.compacted") {
      const session = sessions.get(id);
      if (!session?.compacting) return;
      session.compacting = false;
      session.opening = ask(occurrence.type, id, session, {});
    }
  }
  async function ended(id, part) {
    if (part.state.status !== "error" || own(part.tool) || over.get(part.callID)) return;
    over.set(part.callID, true);
    const session = await met(id);
    const note = notes.take(part.callID);
    if (note) session.late.push(note);
    const reply = await ask("message.part.updated", id, session, { part, servers });
    if (reply.text) session.late.push(reply.text);
  }
  async function prompted(id, message, parts) {
    const session = await met(id);
    const command = session.command && Date.now() - session.command.at < MADE_AT_ONCE ? session.command : null;
    session.command = null;
    session.prompt = message.id;
    if (session.parent) return void 0;
    const opening = session.opening ? await session.opening : {};
    session.opening = null;
    const texts = parts.filter((part) => part.type === "text");
    const reply = await ask("chat.message", id, session, { parts: texts, command });
    const text = [...session.late.splice(0), opening.text, reply.text].filter(Boolean).join("\n\n");
    if (!text) return void 0;
    return () => parts.push(added(id, message.id, text));
  }
  async function typed(name, id, words, parts) {
    const session = await met(id);
    session.command = { name, words, at: Date.now() };
    const reply = await ask("command.execute.before", id, session, { command: name, arguments: words, parts });
    if (!reply.text) return void 0;
    return () => parts.push({ type: "text", text: reply.text ?? "", synthetic: true });
  }
  async function starting(call, args) {
    if (call.tool === "skill") {
      intents.set(call.callID, args.intent);
      delete args.intent;
    }
    if (!ACTS.has(call.tool)) return void 0;
    const session = await met(call.sessionID);
    const reply = await ask("tool.execute.before", call.sessionID, session, { ...call, args });
    const held = reply.stop || (reply.ask && isUnanswered(session, call, args) ? reply.ask + ASK_FIRST : "");
    if (held) {
      over.set(call.callID, true);
      throw new HeldUp(held);
    }
    if (reply.text || reply.ask) notes.set(call.callID, reply.text || reply.ask || "");
    return void 0;
  }
  function isUnanswered(session, call, args) {
    const key = `${call.tool} ${JSON.stringify(args)}`;
    const heldIn = session.asked.get(key);
    if (heldIn !== void 0 && heldIn !== session.prompt) return false;
    session.asked.set(key, session.prompt);
    return true;
  }
  async function finished(call, result) {
    const args = call.tool === "skill" ? { ...call.args, intent: intents.take(call.callID) } : call.args;
    const session = await met(call.sessionID);
    const more = { ...call, args, servers, result: { ...result, metadata: plain(result.metadata) } };
    let answer = "";
    if (isAnswered(call, result)) {
      answer = (await ask("tool.execute.after", call.sessionID, session, more)).text ?? "";
    } else {
      tell("tool.execute.after", call.sessionID, session, more);
    }
    const text = [...session.late.splice(0), notes.take(call.callID), answer].filter(Boolean).join("\n\n");
    if (!text) return void 0;
    return () => append(result, text);
  }
  async function completed(id, output) {
    const session = await met(id);
    if (!session.compacting) {
      if (session.said) tell("experimental.text.complete", id, session, { said: session.said });
      session.said = output.text.slice(0, LONGEST_SPEECH);
      return void 0;
    }
    session.compacting = false;
    if (session.parent) return void 0;
    const reply = await ask("session.compacted", id, session, { summary: output.text });
    if (!reply.text) return void 0;
    return () => {
      output.text += `

${reply.text}`;
    };
  }
  return {
    config: guarded(0, async (settings) => {
      servers = Object.keys(settings.mcp ?? {});
      return void 0;
    }),
    event: guarded(START, async ({ event }) => {
      await happened(event);
      return void 0;
    }),
    "chat.message": guarded(
      LOOK_UP + START + ANSWER,
      (input, output) => prompted(input.sessionID, output.message, output.parts)
    ),
    "command.execute.before": guarded(
      LOOK_UP + ANSWER,
      (input, output) => typed(input.command, input.sessionID, input.arguments, output.parts)
    ),
    "tool.definition": guarded(
      0,
      async (input, output) => input.toolID === "skill" ? () => withIntent(output) : void 0
    ),
    "tool.execute.before": guarded(
      LOOK_UP + ANSWER,
      async (input, output) => own(input.tool) ? void 0 : starting(input, output.args)
    ),
    "tool.execute.after": guarded(
      LOOK_UP + ANSWER,
      async (input, output) => own(input.tool) ? void 0 : finished(input, output)
    ),
    "experimental.session.compacting": guarded(LOOK_UP, async ({ sessionID }) => {
      const session = await met(sessionID);
      session.compacting = true;
      tell("experimental.session.compacting", sessionID, session, {});
      return void 0;
    }),
    "experimental.text.complete": guarded(
      LOOK_UP + ANSWER,
      ({ sessionID }, output) => completed(sessionID, output)
    ),
    dispose: guarded(PARTING, async () => {
      for (const [id, session] of sessions.entries()) {
        if (session.prompt && !session.parent) tell("dispose", id, session, { said: session.said });
      }
      await daemon.finish(PARTING);
      return void 0;
    }),
    rootOf: (id) => sessions.get(id)?.parent || id
  };
}
function parsed(answer) {
  try {
    const found = Object.entries(answer ? JSON.parse(answer) ?? {} : {});
    return Object.fromEntries(found.filter(([, value]) => typeof value === "string"));
  } catch {
    return {};
  }
}
function added(sessionID, messageID, text) {
  return { id: `prt_zz${randomBytes(12).toString("hex")}`, sessionID, messageID, type: "text", text, synthetic: true };
}
function withIntent(output) {
  const known = output.jsonSchema ?? {
    type: "object",
    properties: { name: { type: "string", description: "The name of the skill from available_skills" } },
    required: ["name"]
  };
  const intent = { type: "string", description: "In a few words, what the skill is needed for now" };
  output.jsonSchema = { ...known, properties: { ...known.properties, intent } };
}
function isAnswered(call, result) {
  if (call.tool === "skill") return true;
  if (call.tool === "read") return String(call.args?.filePath ?? "").endsWith("/SKILL.md");
  return typeof result.metadata?.exit === "number" && result.metadata.exit !== 0;
}
function plain(metadata) {
  const short = (value) => value === null || typeof value === "number" || typeof value === "boolean" || typeof value === "string" && value.length < 1e3;
  return Object.fromEntries(Object.entries(metadata ?? {}).filter(([, value]) => short(value)));
}
function append(result, text) {
  if (typeof result.output === "string") result.output += `

${text}`;
  else if (Array.isArray(result.content)) result.content.push({ type: "text", text });
}

// opencode/src/installed.ts
var CLIENT = "@CLIENT@";
var VERSION = "@VERSION@";
var SOCKET = "@SOCKET@";
var START2 = "@START@";
var PROGRAM = "@PROGRAM@";
var TOOLS = "@TOOLS@";
var MARKS = "@MARKS@";
var tools = () => JSON.parse(TOOLS);
var marks = () => JSON.parse(MARKS);

// opencode/src/tools.ts
var LIMIT = 2e4;
function tools2(daemon, known, client, place, rootOf) {
  const one = (tool) => ({
    description: tool.description,
    args: tool.schema.properties,
    async execute(given, around) {
      const body = JSON.stringify({
        arguments: given,
        meta: {},
        client,
        session: rootOf(around.sessionID),
        cwd: around.directory ?? place,
        until: Date.now() + LIMIT
      });
      return told(await daemon.call(tool.asked, body, LIMIT), tool.asked);
    }
  });
  return Object.fromEntries(known.map((tool) => [tool.name, one(tool)]));
}
function told(answer, asked) {
  const keeps = asked === "note" || asked === "mark";
  if (answer === null) return `hardwon did not answer${keeps ? "; nothing was kept" : ""}. \`hardwon doctor\` says why.`;
  try {
    return String(JSON.parse(answer).text);
  } catch {
    return `hardwon did not answer${keeps ? "; it is not known whether it was kept" : ""}. \`hardwon doctor\` says why.`;
  }
}
function describe(known, name, output) {
  const tool = known.find((one) => one.name === name);
  if (!tool) return false;
  output.jsonSchema = { required: [], ...tool.schema };
  return true;
}

// opencode/src/index.ts
var COMMAND = "hardwon";
function isOff(environ) {
  const enabled = environ.HARDWON_CONTROL_ENABLED || environ.CODEMEMORY_ENABLED || "";
  return "HARDWON_GUARD" in environ || !["", "true", "yes", "on", "1"].includes(enabled.trim().toLowerCase());
}
function origin(environ) {
  const byClient = marks().some((name) => environ[name]);
  return byClient || process.argv.includes("run") && !process.stdin.isTTY ? "program" : "";
}
function withStatus(settings) {
  const template = `hardwon says:

!\`${PROGRAM} status\`

Show the user this as it is, as a short list. Do nothing else.`;
  const description = "What hardwon remembers here, what it has shown, whether it works";
  settings.command = { [COMMAND]: { template, description }, ...settings.command };
}
async function server(given) {
  try {
    if (isOff(process.env)) return {};
    const known = tools();
    const daemon = new Daemon({ client: CLIENT, version: VERSION, socket: SOCKET, start: START2 });
    daemon.wake();
    const own = (tool) => known.some((one) => one.name === tool);
    const { rootOf, config, "tool.definition": definition, ...rest } = hooks(daemon, given, origin(process.env), own);
    return {
      ...rest,
      config: async (settings) => {
        await config(settings);
        withStatus(settings);
      },
      "tool.definition": async (input, output) => {
        if (!describe(known, input.toolID, output)) await definition(input, output);
      },
      tool: tools2(daemon, known, CLIENT, given.directory, rootOf)
    };
  } catch {
    return {};
  }
}
var index_default = { id: "hardwon", server };
export {
  index_default as default
};
