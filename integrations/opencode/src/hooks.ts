/** The client's hooks. Each sends what the client gave it to the daemon and puts the answer where the client takes it;
 * what any of it means, the daemon knows (`clients/opencode/messages.py`). The client waits for every hook for ever and
 * ends a turn for any that throws, so none of them may do either: `guarded`. */
import { randomBytes } from "node:crypto"
import type { Definition, Given, Occurrence, Part, Reply, Settings, ToolCall, ToolPart, ToolResult } from "./client.ts"
import { type Daemon, within } from "../../shared/daemon.ts"
import { Bounded, Session } from "./sessions.ts"

const START = 800
const ANSWER = 250
/** More than the daemon is given, so that its own limit comes first. */
const SPARE = 100
const LOOK_UP = 200
const PARTING = 1000
/** Of a command its prompt follows by then; one that a sub-agent does has none here. */
const MADE_AT_ONCE = 10_000
const MOST_SESSIONS = 200
const MOST_CALLS = 500
const LONGEST_SPEECH = 100_000

/** Before them something may be known of the call; the others only look. */
const ACTS = new Set(["bash", "edit", "write", "multiedit", "patch", "apply_patch"])
const ASK_FIRST = "\nAsk the user about this now. When they have answered, issue the same call again if they agree."

/** A call is held up: the only thing that a hook throws. */
class HeldUp extends Error {}

/** What is to be done to the client's output, when the answer has come in time. */
type Apply = (() => void) | undefined

function guarded<A extends unknown[]>(limit: number, hook: (...given: A) => Promise<Apply>) {
  return async (...given: A): Promise<void> => {
    try {
      const apply = await within(hook(...given), limit + SPARE)
      apply?.()
    } catch (problem) {
      if (problem instanceof HeldUp) throw problem
    }
  }
}

export function hooks(daemon: Daemon, given: Given, origin: string, own: (tool: string) => boolean) {
  const sessions = new Bounded<Session>(MOST_SESSIONS)
  const notes = new Bounded<string>(MOST_CALLS)
  const intents = new Bounded<unknown>(MOST_CALLS)
  const over = new Bounded<boolean>(MOST_CALLS)
  let servers: string[] = []

  const known = (id: string): Session => sessions.get(id) ?? sessions.set(id, new Session())

  const wire = (id: string, session: Session, more: object): string =>
    JSON.stringify({
      session: session.parent || id,
      agent: session.parent ? id : "",
      prompt: session.prompt,
      directory: given.directory,
      at: Date.now(),
      origin,
      ...more,
    })

  async function ask(event: string, id: string, session: Session, more: object, limit = ANSWER): Promise<Reply> {
    const reply = parsed(await daemon.ask(event, wire(id, session, more), limit))
    if (reply.notice) given.client.tui?.showToast({ body: { message: reply.notice, variant: "info" } }).catch(() => {})
    return reply
  }

  const tell = (event: string, id: string, session: Session, more: object): void =>
    daemon.tell(event, wire(id, session, more))

  /** Of a session that began before this process, the client knows for whom it works. */
  async function met(id: string): Promise<Session> {
    const here = sessions.get(id)
    if (here) return here
    const session = known(id)
    const asked = given.client.session?.get({ path: { id } }).catch(() => undefined)
    const found = await within(asked, LOOK_UP)
    session.parent = rooted(found?.data?.parentID ?? "")
    if (!session.parent) session.opening = ask("session.resumed", id, session, {}, START)
    return session
  }

  const rooted = (parent: string): string => sessions.get(parent)?.parent || parent

  /** The client does not wait for these. */
  async function happened(occurrence: Occurrence): Promise<void> {
    const { properties } = occurrence
    const id = properties.sessionID ?? properties.info?.id ?? ""
    if (occurrence.type === "session.created" && properties.info) {
      const session = known(properties.info.id)
      session.parent = rooted(properties.info.parentID ?? "")
      if (!session.parent) session.opening = ask(occurrence.type, properties.info.id, session, { properties }, START)
    } else if (occurrence.type === "message.part.updated" && properties.part?.type === "tool") {
      await ended(id, properties.part)
    } else if (occurrence.type === "session.idle" || occurrence.type === "session.error") {
      const session = sessions.get(id)
      if (!session?.prompt) return
      tell(occurrence.type, id, session, { properties, said: session.said })
      session.said = ""
    } else if (occurrence.type === "session.compacted") {
      const session = sessions.get(id)
      if (!session?.compacting) return
      session.compacting = false
      session.opening = ask(occurrence.type, id, session, {})
    }
  }

  /** A call that threw reaches no other hook, and its result can't be added to any more. */
  async function ended(id: string, part: ToolPart): Promise<void> {
    if (part.state.status !== "error" || own(part.tool) || over.get(part.callID)) return
    over.set(part.callID, true)
    const session = await met(id)
    const note = notes.take(part.callID)
    if (note) session.late.push(note)
    const reply = await ask("message.part.updated", id, session, { part, servers })
    if (reply.text) session.late.push(reply.text)
  }

  async function prompted(id: string, message: { id: string }, parts: Part[]): Promise<Apply> {
    const session = await met(id)
    const command = session.command && Date.now() - session.command.at < MADE_AT_ONCE ? session.command : null
    session.command = null
    session.prompt = message.id
    if (session.parent) return undefined
    const opening = session.opening ? await session.opening : {}
    session.opening = null
    const texts = parts.filter((part) => part.type === "text")
    const reply = await ask("chat.message", id, session, { parts: texts, command })
    const text = [...session.late.splice(0), opening.text, reply.text].filter(Boolean).join("\n\n")
    if (!text) return undefined
    return () => parts.push(added(id, message.id, text))
  }

  async function typed(name: string, id: string, words: string, parts: Part[]): Promise<Apply> {
    const session = await met(id)
    session.command = { name, words, at: Date.now() }
    const reply = await ask("command.execute.before", id, session, { command: name, arguments: words, parts })
    if (!reply.text) return undefined
    return () => parts.push({ type: "text", text: reply.text ?? "", synthetic: true })
  }

  async function starting(call: ToolCall, args: Record<string, unknown>): Promise<Apply> {
    if (call.tool === "skill") {
      intents.set(call.callID, args.intent)
      delete args.intent
    }
    if (!ACTS.has(call.tool)) return undefined
    const session = await met(call.sessionID)
    const reply = await ask("tool.execute.before", call.sessionID, session, { ...call, args })
    const held = reply.stop || (reply.ask && isUnanswered(session, call, args) ? reply.ask + ASK_FIRST : "")
    if (held) {
      over.set(call.callID, true)
      throw new HeldUp(held)
    }
    if (reply.text || reply.ask) notes.set(call.callID, reply.text || reply.ask || "")
    return undefined
  }

  /** The client has no way to ask a person from here. So the agent is told to; the next prompt is the answer. */
  function isUnanswered(session: Session, call: ToolCall, args: object): boolean {
    const key = `${call.tool} ${JSON.stringify(args)}`
    const heldIn = session.asked.get(key)
    if (heldIn !== undefined && heldIn !== session.prompt) return false
    session.asked.set(key, session.prompt)
    return true
  }

  async function finished(call: ToolCall, result: ToolResult): Promise<Apply> {
    const args = call.tool === "skill" ? { ...call.args, intent: intents.take(call.callID) } : call.args
    const session = await met(call.sessionID)
    const more = { ...call, args, servers, result: { ...result, metadata: plain(result.metadata) } }
    let answer = ""
    if (isAnswered(call, result)) {
      answer = (await ask("tool.execute.after", call.sessionID, session, more)).text ?? ""
    } else {
      tell("tool.execute.after", call.sessionID, session, more)
    }
    const text = [...session.late.splice(0), notes.take(call.callID), answer].filter(Boolean).join("\n\n")
    if (!text) return undefined
    return () => append(result, text)
  }

  async function completed(id: string, output: { text: string }): Promise<Apply> {
    const session = await met(id)
    if (!session.compacting) {
      if (session.said) tell("experimental.text.complete", id, session, { said: session.said })
      session.said = output.text.slice(0, LONGEST_SPEECH)
      return undefined
    }
    session.compacting = false
    if (session.parent) return undefined
    const reply = await ask("session.compacted", id, session, { summary: output.text })
    if (!reply.text) return undefined
    return () => {
      output.text += `\n\n${reply.text}`
    }
  }

  return {
    config: guarded(0, async (settings: Settings) => {
      servers = Object.keys(settings.mcp ?? {})
      return undefined
    }),
    event: guarded(START, async ({ event }: { event: Occurrence }) => {
      await happened(event)
      return undefined
    }),
    "chat.message": guarded(
      LOOK_UP + START + ANSWER,
      (input: { sessionID: string }, output: { message: { id: string }; parts: Part[] }) =>
        prompted(input.sessionID, output.message, output.parts),
    ),
    "command.execute.before": guarded(
      LOOK_UP + ANSWER,
      (input: { command: string; sessionID: string; arguments: string }, output: { parts: Part[] }) =>
        typed(input.command, input.sessionID, input.arguments, output.parts),
    ),
    "tool.definition": guarded(0, async (input: { toolID: string }, output: Definition) =>
      input.toolID === "skill" ? () => withIntent(output) : undefined,
    ),
    "tool.execute.before": guarded(
      LOOK_UP + ANSWER,
      async (input: ToolCall, output: { args: Record<string, unknown> }) =>
        own(input.tool) ? undefined : starting(input, output.args),
    ),
    "tool.execute.after": guarded(LOOK_UP + ANSWER, async (input: ToolCall, output: ToolResult) =>
      own(input.tool) ? undefined : finished(input, output),
    ),
    "experimental.session.compacting": guarded(LOOK_UP, async ({ sessionID }: { sessionID: string }) => {
      const session = await met(sessionID)
      session.compacting = true
      tell("experimental.session.compacting", sessionID, session, {})
      return undefined
    }),
    "experimental.text.complete": guarded(
      LOOK_UP + ANSWER,
      ({ sessionID }: { sessionID: string }, output: { text: string }) => completed(sessionID, output),
    ),
    dispose: guarded(PARTING, async () => {
      for (const [id, session] of sessions.entries()) {
        if (session.prompt && !session.parent) tell("dispose", id, session, { said: session.said })
      }
      await daemon.finish(PARTING)
      return undefined
    }),
    rootOf: (id: string): string => sessions.get(id)?.parent || id,
  }
}

function parsed(answer: string): Reply {
  try {
    const found = Object.entries(answer ? (JSON.parse(answer) ?? {}) : {})
    return Object.fromEntries(found.filter(([, value]) => typeof value === "string"))
  } catch {
    return {}
  }
}

/** As the client stores its own parts; one without these ids ends the run. Parts go out in the order of their ids, so
 * this one comes behind what the person wrote. */
function added(sessionID: string, messageID: string, text: string): Part {
  return { id: `prt_zz${randomBytes(12).toString("hex")}`, sessionID, messageID, type: "text", text, synthetic: true }
}

/** What the skill's lessons are chosen by, besides its name. */
function withIntent(output: Definition): void {
  const known = output.jsonSchema ?? {
    type: "object",
    properties: { name: { type: "string", description: "The name of the skill from available_skills" } },
    required: ["name"],
  }
  const intent = { type: "string", description: "In a few words, what the skill is needed for now" }
  output.jsonSchema = { ...known, properties: { ...known.properties, intent } }
}

function isAnswered(call: ToolCall, result: ToolResult): boolean {
  if (call.tool === "skill") return true
  if (call.tool === "read") return String(call.args?.filePath ?? "").endsWith("/SKILL.md")
  return typeof result.metadata?.exit === "number" && result.metadata.exit !== 0
}

/** Diffs and previews say again what stands in the call and its result. */
function plain(metadata: Record<string, unknown> | undefined): Record<string, unknown> {
  const short = (value: unknown): boolean =>
    value === null ||
    typeof value === "number" ||
    typeof value === "boolean" ||
    (typeof value === "string" && value.length < 1000)
  return Object.fromEntries(Object.entries(metadata ?? {}).filter(([, value]) => short(value)))
}

function append(result: ToolResult, text: string): void {
  if (typeof result.output === "string") result.output += `\n\n${text}`
  else if (Array.isArray(result.content)) result.content.push({ type: "text", text })
}
