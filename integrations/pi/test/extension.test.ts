/** The built extension, as Pi would drive it, against a daemon that says what a test wants it to say. */
import assert from "node:assert/strict"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, beforeEach, test } from "node:test"
import type { Context, Entry, Event, Handler, Pi, Tool } from "../src/client.ts"
import { promptId } from "../src/talk.ts"

const BUILT = "../src/hardwon/integrations/pi/hardwon.js"
const folder = mkdtempSync(join(tmpdir(), "hw-"))
/** Each test's own: what an earlier one could not deliver goes nowhere. */
let socketPath = ""
after(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  socketPath = join(mkdtempSync(join(folder, "s")), "daemon.sock")
})

interface Heard {
  host: string
  event: string
  limit: number
  body: Record<string, any>
}

/** What it answers to an event: a text at once, or a promise that may never come. */
type Says = Record<string, string | Promise<string>>

class Daemon {
  readonly heard: Heard[] = []
  private server: Server | undefined
  private readonly sockets = new Set<Socket>()

  constructor(private readonly says: Says = {}) {}

  listen(): Promise<Daemon> {
    this.server = createServer({ allowHalfOpen: true }, (socket) => {
      let raw = ""
      this.sockets.add(socket)
      socket.on("error", () => {})
      socket.setEncoding("utf8").on("data", (piece: string) => (raw += piece))
      socket.on("end", async () => {
        const [header = "", ...rest] = raw.split("\n")
        const [, , host = "", event = "", limit = ""] = header.split(" ")
        if (host !== "control") this.heard.push({ host, event, limit: Number(limit), body: JSON.parse(rest.join("\n")) })
        socket.end(await (this.says[event] ?? ""))
      })
    })
    return new Promise((resolve) => this.server?.listen(socketPath, () => resolve(this)))
  }

  events(): string[] {
    return this.heard.map((one) => one.event)
  }

  close(): void {
    this.server?.close()
    for (const socket of this.sockets) socket.destroy()
    rmSync(socketPath, { force: true })
  }
}

class Host implements Pi {
  readonly handlers = new Map<string, Handler>()
  readonly tools = new Map<string, Tool>()
  readonly notices: string[] = []
  readonly asked: string[] = []
  branch: Entry[] = []
  answer = true
  context: Context = {
    cwd: "/project",
    hasUI: true,
    mode: "interactive",
    ui: {
      notify: (text) => void this.notices.push(text),
      confirm: async (_, text) => (this.asked.push(text), this.answer),
    },
    sessionManager: {
      getSessionId: () => "session-1",
      getSessionFile: () => "/sessions/1.jsonl",
      getBranch: () => this.branch,
    },
  }

  on(event: string, handler: Handler): void {
    this.handlers.set(event, handler)
  }

  registerTool(tool: Tool): void {
    this.tools.set(tool.name, tool)
  }

  /** Tells the extension of an event: what it returned. */
  tell(name: string, event: Event = {}): Promise<any> {
    return this.handlers.get(name)?.(event, this.context) ?? Promise.resolve()
  }

  call(id: string, event: Event): Promise<any> {
    return this.tell("tool_call", { toolCallId: id, ...event })
  }

  result(id: string, event: Event): Promise<any> {
    return this.tell("tool_result", { toolCallId: id, content: [{ type: "text", text: "printed" }], ...event })
  }
}

let loaded = 0

/** As `hardwon setup` installs it. `start` is the command that would start a daemon. */
async function installed(start: string[] = [], marks: string[] = []): Promise<Host> {
  const words = join(folder, `start-${++loaded}`)
  writeFileSync(words, start.join("\n"))
  const note = { name: "memory_note", asked: "note", title: "Note", description: "Keep", schema: { type: "object" } }
  const given = { VERSION: "1.0", SOCKET: socketPath, START: words, PROGRAM: "/bin/true", TOOLS: JSON.stringify([note]) }
  let text = readFileSync(BUILT, "utf8")
  for (const [word, meaning] of Object.entries({ ...given, MARKS: JSON.stringify(marks) }))
    text = text.replaceAll(`"@${word}@"`, JSON.stringify(meaning))
  const file = join(folder, `extension-${loaded}.mjs`)
  writeFileSync(file, text)
  const host = new Host()
  ;(await import(file)).default(host)
  return host
}

const never = new Promise<string>(() => {})
const told = (text: string): string => JSON.stringify({ text })

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!holds()) {
    assert.ok(Date.now() < end, "never came true")
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test("what a start and a prompt bring stands in one message of ours", async () => {
  const daemon = await new Daemon({ session_start: told("the brief"), before_agent_start: told("what fits") }).listen()
  const host = await installed()
  await host.tell("session_start", { reason: "startup" })
  const { message } = await host.tell("before_agent_start", { prompt: "go" })
  assert.deepEqual(message, { customType: "hardwon", content: "the brief\nwhat fits", display: false })
  assert.deepEqual(daemon.events(), ["session_start", "before_agent_start"])
  const { session, file, cwd, prompt, event } = daemon.heard[1]?.body ?? {}
  assert.deepEqual([session, file, cwd, event.prompt], ["session-1", "/sessions/1.jsonl", "/project", "go"])
  assert.equal(prompt, promptId([], "go"))
  daemon.close()
})

test("a start that Pi tells of twice is one", async () => {
  const daemon = await new Daemon({ session_start: told("the brief") }).listen()
  const host = await installed()
  for (const reason of ["fork", "fork"]) await host.tell("session_start", { reason })
  const { message } = await host.tell("before_agent_start", { prompt: "go" })
  assert.equal(message.content, "the brief")
  assert.deepEqual(daemon.events(), ["session_start", "before_agent_start"])
  daemon.close()
})

test("a brief that comes too late for the prompt comes with the next result, once", async () => {
  const daemon = await new Daemon({
    session_start: new Promise((resolve) => setTimeout(() => resolve(told("the brief")), 1_200)),
  }).listen()
  const host = await installed()
  await host.tell("session_start", { reason: "startup" })
  assert.equal(await host.tell("before_agent_start", { prompt: "go" }), undefined)
  await until(() => daemon.heard.length === 2)
  await new Promise((resolve) => setTimeout(resolve, 700))
  const { content } = await host.result("call-1", { toolName: "bash", input: { command: "ls" } })
  assert.deepEqual(content.map((one: any) => one.text), ["printed", "the brief"])
  assert.equal(await host.result("call-2", { toolName: "bash", input: { command: "ls" } }), undefined)
  daemon.close()
})

test("a note before a call comes with that call's result and no other", async () => {
  const daemon = await new Daemon({ tool_call: told("it failed here before") }).listen()
  const host = await installed()
  assert.equal(await host.call("call-1", { toolName: "bash", input: { command: "make" } }), undefined)
  assert.equal(await host.result("call-2", { toolName: "read", input: { path: "a" } }), undefined)
  const { content, structuredContent } = await host.result("call-1", { toolName: "bash", structuredContent: { code: 0 } })
  assert.equal(content[1].text, "it failed here before")
  assert.deepEqual(structuredContent, { code: 0 })
  assert.equal(await host.result("call-1", { toolName: "bash" }), undefined)
  daemon.close()
})

test("a stop refuses the call with its reason, and only what acts is asked about", async () => {
  const daemon = await new Daemon({ tool_call: JSON.stringify({ stop: "run cp first" }) }).listen()
  const host = await installed()
  assert.deepEqual(await host.call("1", { toolName: "bash" }), { block: true, reason: "run cp first" })
  assert.equal(await host.call("2", { toolName: "read" }), undefined)
  assert.equal(daemon.heard.length, 1)
  daemon.close()
})

test("what the person has to be asked is asked, and refused where nobody is there", async () => {
  const daemon = await new Daemon({ tool_call: JSON.stringify({ ask: "it pushes a key" }) }).listen()
  const host = await installed()
  assert.equal(await host.call("1", { toolName: "bash" }), undefined)
  assert.deepEqual(host.asked, ["it pushes a key"])
  host.answer = false
  assert.deepEqual(await host.call("2", { toolName: "bash" }), { block: true, reason: "it pushes a key" })
  host.context = { ...host.context, hasUI: false }
  assert.deepEqual(await host.call("3", { toolName: "bash" }), { block: true, reason: "it pushes a key" })
  daemon.close()
})

test("a skill's lessons come with the file that Pi offers it in, and with no other file", async () => {
  const daemon = await new Daemon({ tool_result: told("its lessons") }).listen()
  const host = await installed()
  const skills = [{ name: "deploy", filePath: "/project/.pi/skills/deploy/SKILL.md" }]
  await host.tell("before_agent_start", { prompt: "go", systemPromptOptions: { skills } })
  const read = { toolName: "read", input: { path: ".pi/skills/deploy/SKILL.md" } }
  assert.equal((await host.result("1", read)).content[1].text, "its lessons")
  assert.equal(daemon.heard.at(-1)?.body.event.skill, "deploy")
  assert.equal(await host.result("2", { toolName: "read", input: { path: "docs/SKILL.md" } }), undefined)
  daemon.close()
})

test("a typed skill is asked for beside its prompt", async () => {
  const daemon = await new Daemon({ skill_expanded: told("its lessons") }).listen()
  const host = await installed()
  await host.tell("input", { text: "/skill:deploy now", source: "interactive" })
  const { message } = await host.tell("before_agent_start", { prompt: '<skill name="deploy" location="/s">x\n</skill>' })
  assert.equal(message.content, "its lessons")
  assert.deepEqual(daemon.events().sort(), ["before_agent_start", "skill_expanded"])
  assert.equal(daemon.heard[0]?.body.event.typed, "/skill:deploy now")
  daemon.close()
})

test("a prompt is told of once, also where it comes again as a message; one put in meanwhile is another", async () => {
  const daemon = await new Daemon().listen()
  const host = await installed()
  await host.tell("before_agent_start", { prompt: "go" })
  await host.tell("message_end", { message: { role: "user", content: [{ type: "text", text: "go" }], timestamp: 1 } })
  await host.tell("message_end", { message: { role: "assistant", content: [], timestamp: 2 } })
  host.branch = [{ type: "message", id: "e1", message: { role: "user", timestamp: 1 } }]
  host.branch.push({ type: "message", id: "e2", message: { role: "user", timestamp: 3 } })
  await host.tell("message_end", { message: { role: "user", content: "use pnpm", timestamp: 3 } })
  await until(() => daemon.heard.length === 2)
  assert.equal(daemon.heard[1]?.body.event.prompt, "use pnpm")
  assert.equal(daemon.heard[1]?.body.prompt, promptId(host.branch.slice(0, 1), "use pnpm"))
  daemon.close()
})

test("after a move in the tree it says whether anything of ours is still in the window", async () => {
  const daemon = await new Daemon().listen()
  const host = await installed()
  host.branch = [{ type: "custom_message", id: "1", customType: "hardwon" }]
  await host.tell("session_tree")
  host.branch = []
  await host.tell("session_tree")
  await until(() => daemon.heard.length === 2)
  assert.deepEqual(daemon.heard.map((one) => one.body.event.told).sort(), [false, true])
  daemon.close()
})

test("prompts that wait while the agent is at work keep their own words", async () => {
  const daemon = await new Daemon().listen()
  const host = await installed()
  await host.tell("before_agent_start", { prompt: "go" })
  for (const text of ["/tidy up", "use pnpm"]) await host.tell("input", { text, source: "interactive" })
  const put = (content: string, timestamp: number) => host.tell("message_end", { message: { role: "user", content, timestamp } })
  await put("use pnpm", 2)
  await put("Tidy what is behind this: up", 3)
  await put("of another extension", 4)
  await until(() => daemon.heard.length === 4)
  const told = daemon.heard.map((one) => one.body.event).map((event) => [event.prompt, event.typed, event.source])
  const fromElsewhere = ["of another extension", "", ""]
  const expected = [["use pnpm", "use pnpm", "interactive"], ["Tidy what is behind this: up", "/tidy up", "interactive"]]
  assert.deepEqual(told.slice(1).sort(), [...expected, fromElsewhere].sort())
  daemon.close()
})

test("a hung daemon costs each answer its time, and soon none at all", async () => {
  const daemon = await new Daemon({ tool_call: never, session_start: never, before_agent_start: never }).listen()
  const host = await installed()
  const began = Date.now()
  await host.tell("session_start", { reason: "startup" })
  assert.equal(await host.tell("before_agent_start", { prompt: "go" }), undefined)
  for (let call = 0; call < 20; call++) assert.equal(await host.call(`${call}`, { toolName: "bash" }), undefined)
  assert.ok(Date.now() - began < 4_000, `${Date.now() - began} ms`)
  daemon.close()
})

test("garbage is silence, and what was printed stays as it was", async () => {
  for (const garbage of ["<html>", "[1]", "null", '"text"', '{"text": 7, "stop": {}}', "{", "\u0000".repeat(9_000)]) {
    const daemon = await new Daemon({ tool_call: garbage, tool_result: garbage, before_agent_start: garbage }).listen()
    const host = await installed()
    assert.equal(await host.tell("before_agent_start", { prompt: "go" }), undefined)
    assert.equal(await host.call("1", { toolName: "bash" }), undefined)
    assert.equal(await host.result("1", { toolName: "bash", isError: true }), undefined)
    daemon.close()
  }
})

test("what nobody hears is told when somebody listens: in order, each once", async () => {
  const host = await installed()
  for (const call of ["1", "2", "3"]) await host.result(call, { toolName: "bash", input: { command: call } })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const daemon = await new Daemon().listen()
  await host.tell("session_shutdown", { reason: "quit" })
  assert.deepEqual(daemon.events(), ["tool_result", "tool_result", "tool_result", "session_shutdown"])
  assert.deepEqual(daemon.heard.slice(0, 3).map((one) => one.body.event.toolCallId), ["1", "2", "3"])
  daemon.close()
})

test("a session without any daemon ends, within the time for parting", async () => {
  const host = await installed(["/nonexistent/python", "-m", "hardwon.daemon"])
  const began = Date.now()
  await host.tell("session_start", { reason: "startup" })
  assert.equal(await host.tell("before_agent_start", { prompt: "go" }), undefined)
  assert.equal(await host.result("1", { toolName: "bash", isError: true }), undefined)
  await host.tell("session_shutdown", { reason: "quit" })
  assert.ok(Date.now() - began < 4_000, `${Date.now() - began} ms`)
})

test("a daemon that is down is started by the command in the home, with a word more", async () => {
  const seen = join(folder, "started")
  const script = join(folder, "start.sh")
  writeFileSync(script, `#!/bin/sh\necho "$@" >> ${seen}\n`)
  chmodSync(script, 0o700)
  const host = await installed([script, "-m", "hardwon.daemon"])
  await host.tell("session_start", { reason: "startup" })
  await until(() => existsSync(seen) && readFileSync(seen, "utf8").endsWith("\n"))
  await host.tell("session_shutdown", { reason: "quit" })
  assert.equal(readFileSync(seen, "utf8"), "-m hardwon.daemon serve\n")
})

test("a tool's call says which session it is of; what is wrong is an error for the model", async () => {
  const daemon = await new Daemon({ note: JSON.stringify({ text: "Kept as 1.", wrong: false }) }).listen()
  const host = await installed()
  const execute = () => host.tools.get("memory_note")?.execute("1", { text: "a fact" }, null, null, host.context)
  assert.deepEqual(await execute(), { content: [{ type: "text", text: "Kept as 1." }], details: {} })
  const { host: to, event, body } = daemon.heard[0] as Heard
  assert.deepEqual([to, event, body.session, body.client, body.cwd], ["mcp", "note", "session-1", "pi", "/project"])
  daemon.close()
  const wrong = await new Daemon({ note: JSON.stringify({ text: "text is empty", wrong: true }) }).listen()
  await assert.rejects(execute() as Promise<unknown>, /text is empty/)
  wrong.close()
})

test("what the memory's own tools said is not told to it", async () => {
  const daemon = await new Daemon().listen()
  const host = await installed()
  assert.equal(await host.result("1", { toolName: "memory_note", isError: true }), undefined)
  assert.equal(daemon.heard.length, 0)
  daemon.close()
})

test("a session that is switched off, or is hardwon's own, is not observed", async () => {
  for (const [name, value] of Object.entries({ HARDWON_GUARD: "1", HARDWON_CONTROL_ENABLED: "off" })) {
    process.env[name] = value
    const host = await installed()
    assert.equal(host.handlers.size + host.tools.size, 0)
    delete process.env[name]
  }
})

test("a Pi that an agent started says so", async () => {
  const daemon = await new Daemon().listen()
  process.env.SOME_AGENT = "1"
  const host = await installed([], ["SOME_AGENT"])
  await host.tell("before_agent_start", { prompt: "go" })
  delete process.env.SOME_AGENT
  assert.equal(daemon.heard[0]?.body.started_by, "SOME_AGENT")
  daemon.close()
})

test("a prompt has the same name here and in clients/pi/prompts.py", () => {
  const before: Entry[] = [
    { type: "message", id: "a1b2c3d4", message: { role: "user" } },
    { type: "message", id: "0badcafe", message: { role: "system" } },
  ]
  assert.equal(promptId([], "grün ✓"), "first.4ebbfb21")
  assert.equal(promptId(before, "grün ✓"), "a1b2c3d4.4ebbfb21")
})
