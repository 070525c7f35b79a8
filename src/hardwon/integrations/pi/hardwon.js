// Built from integrations/pi/src: change it there.

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
    return new Promise((resolve2) => {
      if (!isPrivate(this.place.socket)) return resolve2(NOT_HEARD);
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
        resolve2(outcome);
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
  return new Promise((resolve2) => setTimeout(resolve2, milliseconds));
}
async function within(work, milliseconds) {
  let timer;
  const over = new Promise((resolve2) => {
    timer = setTimeout(() => resolve2(void 0), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

// pi/src/command.ts
import { execFile } from "node:child_process";

// pi/src/installed.ts
var VERSION = "@VERSION@";
var SOCKET = "@SOCKET@";
var START = "@START@";
var PROGRAM = "@PROGRAM@";
var TOOLS = "@TOOLS@";
var MARKS = "@MARKS@";
var tools = () => JSON.parse(TOOLS);
var marks = () => JSON.parse(MARKS);

// pi/src/command.ts
var LIMIT = 2e4;
var MOST = 2e4;
function addCommand(pi) {
  if (typeof pi.registerCommand !== "function") return;
  pi.registerCommand("hardwon", {
    description: "What the memory has, and whether it works: status, doctor, brief, search WORDS, \u2026",
    handler: async (words, context) => {
      const said = await run(words.trim() ? words.trim().split(/\s+/) : ["status"], context.cwd);
      if (context.hasUI) context.ui.notify(said, "info");
      else process.stdout.write(`${said}
`);
    }
  });
}
function run(words, cwd) {
  return new Promise((resolve2) => {
    const child = execFile(PROGRAM, words, { cwd, timeout: LIMIT }, (problem, printed, complaint) => {
      const said = `${printed}${complaint}`.trim().slice(0, MOST);
      resolve2(said || (problem ? `hardwon could not be run: ${problem.message}` : "Nothing to say."));
    });
    child.stdin?.end();
  });
}

// pi/src/talk.ts
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { resolve } from "node:path";
var LONGEST = 2e5;
var MOST_WAITING = 4;
var SPOKEN = ["user", "assistant", "toolResult"];
var MOST_INPUTS = 8;
var OURS = "hardwon";
var Talk = class {
  constructor(startedBy) {
    this.startedBy = startedBy;
  }
  startedBy;
  /** The prompt that is worked at: `promptId`. */
  prompt = "";
  /** What was put in, before Pi made more of it: several may wait while the agent is at work. */
  inputs = [];
  expected;
  waiting = [];
  notes = /* @__PURE__ */ new Map();
  skills = /* @__PURE__ */ new Map();
  /** A message as it goes to the daemon: Pi's own event in `event`, and where it comes from. */
  body(context, event) {
    const { cwd, hasUI, mode, sessionManager } = context;
    const session = sessionManager.getSessionId();
    const file = sessionManager.getSessionFile();
    const about = { session, file, cwd, mode: mode ?? (hasUI ? "interactive" : "print"), started_by: this.startedBy };
    return JSON.stringify({ ...about, prompt: this.prompt, at: Date.now(), event });
  }
  /** A prompt begins; it comes again as a message. */
  begin(context, prompt) {
    this.prompt = promptId(context.sessionManager.getBranch(), prompt);
    this.expected = prompt;
  }
  /** Whether this message of the user's is another one, which was put in while the agent was at work. */
  isAnother(context, message) {
    const text = textOf(message.content);
    const expected = this.expected;
    this.expected = void 0;
    if (expected !== void 0 && text.startsWith(expected)) return false;
    const before = context.sessionManager.getBranch().filter((entry) => entry.message?.timestamp !== message.timestamp);
    this.prompt = promptId(before, text);
    return true;
  }
  heard(input) {
    this.inputs.push(input);
    if (this.inputs.length > MOST_INPUTS) this.inputs.shift();
  }
  /** What this prompt was made of: the same words, or a command that stands for them. A prompt that opens a run comes
   * right behind its input, whatever other extensions made of it. */
  typed(prompt, opensRun) {
    let at = this.inputs.findIndex((one) => one.text !== "" && prompt.startsWith(one.text));
    if (at < 0) at = opensRun ? this.inputs.length - 1 : this.inputs.findIndex((one) => one.text.startsWith("/"));
    return this.inputs.splice(at, at < 0 ? 0 : 1)[0] ?? { text: "", source: "" };
  }
  know(skills) {
    for (const one of skills ?? []) this.skills.set(one.filePath, one.name);
  }
  /** The skill that is loaded by reading this file, where Pi offers one there. */
  skillAt(path, cwd) {
    if (typeof path !== "string" || !path) return void 0;
    return this.skills.get(resolve(cwd, path.replace(/^@/, "").replace(/^~(?=\/)/, homedir())));
  }
  /** With the next prompt or result, whichever comes first. */
  later(text) {
    if (text && this.waiting.length < MOST_WAITING) this.waiting.push(text);
  }
  /** With the result of this call. */
  noteAt(call2, text) {
    if (text) this.notes.set(call2, text);
  }
  due(call2) {
    const note = this.notes.get(call2);
    this.notes.delete(call2);
    return [...note ? [note] : [], ...this.waiting.splice(0)];
  }
  forgetResults() {
    this.notes.clear();
  }
};
function promptId(before, prompt) {
  const last = before.findLast((entry) => entry.type === "message" && SPOKEN.includes(entry.message?.role ?? ""));
  return `${last?.id ?? "first"}.${createHash("sha1").update(prompt).digest("hex").slice(0, 8)}`;
}
function holdsOurs(context) {
  return context.sessionManager.getBranch().some((entry) => entry.customType === OURS);
}
function isGoingOn(context) {
  return context.sessionManager.getBranch().some((entry) => entry.message?.role === "user");
}
function textOf(content) {
  if (typeof content === "string") return content.slice(0, LONGEST);
  const texts = (content ?? []).flatMap((one) => one.type === "text" && one.text ? [one.text] : []);
  return texts.join("\n").slice(0, LONGEST);
}
function lastWords(event) {
  const last = event.messages?.findLast((one) => one.role === "assistant");
  return { text: textOf(last?.content), stopReason: last?.stopReason ?? "" };
}

// pi/src/tools.ts
var SECONDS = 20;
var NOT_HEARD2 = "hardwon did not answer; nothing was kept. `hardwon doctor` says why.";
var NO_ANSWER = "hardwon did not answer; it is not known whether it was kept. `hardwon doctor` says why.";
var ours = /* @__PURE__ */ new Set();
function isOurs(name) {
  return ours.has(name);
}
function addTools(pi, daemon) {
  for (const tool of typeof pi.registerTool === "function" ? tools() : []) {
    ours.add(tool.name);
    pi.registerTool?.({
      name: tool.name,
      label: tool.title,
      description: tool.description,
      ...tool.guidelines ? { promptGuidelines: tool.guidelines } : {},
      parameters: tool.schema,
      execute: async (_id, given, _signal, _update, context) => {
        const text = await call(daemon, tool, given, context);
        return { content: [{ type: "text", text }], details: {} };
      }
    });
  }
}
async function call(daemon, tool, given, context) {
  const about = { cwd: context.cwd, client: "pi", session: context.sessionManager.getSessionId() };
  const body = JSON.stringify({ arguments: given, ...about, until: Date.now() + SECONDS * 1e3 });
  const answer = await daemon.call(tool.asked, body, SECONDS * 1e3);
  if (answer === null) throw new Error(NOT_HEARD2);
  let told;
  try {
    told = JSON.parse(answer);
  } catch {
    throw new Error(NO_ANSWER);
  }
  if (told.wrong) throw new Error(String(told.text));
  return String(told.text ?? "");
}

// pi/src/index.ts
var START_LIMIT = 3e3;
var START_WAITED = 800;
var LIMIT2 = 250;
var PARTING = 1e3;
var ACTS = ["bash", "powershell", "edit", "write"];
function hardwon(pi) {
  if (isOff()) return;
  const daemon = new Daemon({ client: "pi", version: VERSION, socket: SOCKET, start: START });
  const session = new Session(daemon, new Talk(marks().find((name) => process.env[name]) ?? ""));
  const on = (name, handler) => pi.on(name, caught(handler));
  on("session_start", (event, context) => session.started(event, context));
  on("session_tree", (_, context) => session.moved(context));
  on("input", (event) => session.typed(event));
  on("before_agent_start", (event, context) => session.prompted(event, context));
  on("message_end", (event, context) => session.said(event, context));
  on("tool_call", (event, context) => session.calling(event, context));
  on("tool_result", (event, context) => session.called(event, context));
  on("session_before_compact", (event, context) => session.compacting(event, context));
  on("session_compact", (event, context) => session.compacted(event, context));
  on("agent_end", (event, context) => session.ended(event, context));
  on("session_shutdown", (event, context) => session.left(event, context));
  addTools(pi, daemon);
  addCommand(pi);
}
function isOff() {
  const { HARDWON_GUARD, HARDWON_CONTROL_ENABLED, CODEMEMORY_ENABLED } = process.env;
  const enabled = (HARDWON_CONTROL_ENABLED || CODEMEMORY_ENABLED || "").trim().toLowerCase();
  return HARDWON_GUARD !== void 0 || !["", "true", "yes", "on", "1"].includes(enabled);
}
function caught(handler) {
  return async (event, context) => {
    try {
      return await handler(event, context);
    } catch {
      return void 0;
    }
  };
}
var Session = class {
  constructor(daemon, talk) {
    this.daemon = daemon;
    this.talk = talk;
  }
  daemon;
  talk;
  starting = Promise.resolve();
  known = "";
  /** Once for a session: where one takes another's place, Pi says it twice. */
  async started(event, context) {
    const session = context.sessionManager.getSessionId();
    if (session === this.known) return;
    this.known = session;
    this.begin("session_start", { reason: event.reason, going_on: isGoingOn(context) }, context);
  }
  /** To another branch of the session's tree: what was said may not be on it. */
  async moved(context) {
    this.talk.forgetResults();
    this.begin("session_tree", { told: holdsOurs(context) }, context);
  }
  async compacting(event, context) {
    this.daemon.tell("session_before_compact", this.talk.body(context, { reason: event.reason }));
  }
  async compacted(event, context) {
    const summary = event.compactionEntry?.summary ?? "";
    this.begin("session_compact", { reason: event.reason, summary }, context);
  }
  async typed(event) {
    this.talk.heard({ text: event.text ?? "", source: event.source ?? "" });
  }
  async prompted(event, context) {
    const prompt = event.prompt ?? "";
    this.talk.know(event.systemPromptOptions?.skills);
    this.talk.begin(context, prompt);
    const { text, source } = this.talk.typed(prompt, true);
    await Promise.race([this.starting, sleep(START_WAITED)]);
    const about = { prompt, typed: text, source };
    const asked = ["before_agent_start", ...prompt.startsWith("<skill ") ? ["skill_expanded"] : []];
    const replies = await Promise.all(asked.map((name) => this.ask(name, about, context)));
    const said = [...this.talk.due(""), ...replies.flatMap((reply) => reply.text ?? [])].join("\n");
    return said ? { message: { customType: OURS, content: said, display: false } } : void 0;
  }
  /** A prompt that came while the agent was at work opens no run of its own. */
  async said(event, context) {
    if (event.message?.role !== "user" || !this.talk.isAnother(context, event.message)) return;
    const prompt = textOf(event.message.content);
    const { text, source } = this.talk.typed(prompt, false);
    const about = { prompt, typed: text, source };
    this.daemon.tell("message_end", this.talk.body(context, about));
  }
  async calling(event, context) {
    if (!ACTS.includes(event.toolName ?? "")) return void 0;
    const { toolName, toolCallId, input } = event;
    const reply = await this.ask("tool_call", { toolName, toolCallId, input }, context);
    if (reply.stop) return { block: true, reason: reply.stop };
    if (reply.ask && !await isAllowed(reply.ask, context)) return { block: true, reason: reply.ask };
    this.talk.noteAt(toolCallId ?? "", reply.text);
    return void 0;
  }
  async called(event, context) {
    if (isOurs(event.toolName ?? "")) return void 0;
    const { toolName, toolCallId, input, isError } = event;
    const skill = toolName === "read" && !isError ? this.talk.skillAt(input?.path, context.cwd) : void 0;
    const about = { toolName, toolCallId, input, isError, skill, text: textOf(event.content) };
    let told;
    if (isError || skill) told = (await this.ask("tool_result", about, context)).text;
    else this.daemon.tell("tool_result", this.talk.body(context, about));
    const said = [...this.talk.due(toolCallId ?? ""), ...told ? [told] : []].join("\n");
    if (!said) return void 0;
    const structured = "structuredContent" in event ? { structuredContent: event.structuredContent } : {};
    return { content: [...event.content ?? [], { type: "text", text: said }], ...structured };
  }
  async ended(event, context) {
    this.talk.forgetResults();
    this.daemon.tell("agent_end", this.talk.body(context, lastWords(event)));
  }
  async left(event, context) {
    this.daemon.tell("session_shutdown", this.talk.body(context, { reason: event.reason }));
    await this.daemon.finish(PARTING);
  }
  /** What opens a window: nobody waits for it but the prompt that comes next. */
  begin(name, event, context) {
    this.starting = this.ask(name, event, context, START_LIMIT).then((reply) => this.talk.later(reply.text));
    this.starting.catch(() => {
    });
  }
  async ask(name, event, context, limit = LIMIT2) {
    const reply = parsed(await this.daemon.ask(name, this.talk.body(context, event), limit));
    if (reply.notice && context.hasUI) context.ui.notify(reply.notice, "info");
    return reply;
  }
};
function parsed(answer) {
  if (!answer) return {};
  try {
    const reply = JSON.parse(answer);
    const text = (name) => typeof reply[name] === "string" ? { [name]: reply[name] } : {};
    return { ...text("text"), ...text("stop"), ...text("ask"), ...text("notice") };
  } catch {
    return {};
  }
}
async function isAllowed(question, context) {
  return context.hasUI && await context.ui.confirm("hardwon", question);
}
export {
  hardwon as default
};
