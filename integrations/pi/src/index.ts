/** hardwon in Pi: what happens goes to the daemon, what it answers goes to the model. Nothing is decided here.
 *
 * Pi waits for ever for a handler that never ends, and takes a throw before a call for a refusal: so each handler is
 * caught, and each answer has its time. */
import { Daemon, sleep } from "../../shared/daemon.ts"
import type { Context, Event, Handler, Pi, Reply } from "./client.ts"
import { addCommand } from "./command.ts"
import { marks, SOCKET, START, VERSION } from "./installed.ts"
import { holdsOurs, isGoingOn, lastWords, OURS, Talk, textOf } from "./talk.ts"
import { addTools, isOurs } from "./tools.ts"

const START_LIMIT = 3_000
/** How long the first prompt waits for what is said at the start. */
const START_WAITED = 800
const LIMIT = 250
const PARTING = 1_000
/** Calls that something may be known of before they run. */
const ACTS = ["bash", "powershell", "edit", "write"]

export default function hardwon(pi: Pi): void {
  if (isOff()) return
  const daemon = new Daemon({ client: "pi", version: VERSION, socket: SOCKET, start: START })
  const session = new Session(daemon, new Talk(marks().find((name) => process.env[name]) ?? ""))
  const on = (name: string, handler: Handler): void => pi.on(name, caught(handler))
  on("session_start", (event, context) => session.started(event, context))
  on("session_tree", (_, context) => session.moved(context))
  on("input", (event) => session.typed(event))
  on("before_agent_start", (event, context) => session.prompted(event, context))
  on("message_end", (event, context) => session.said(event, context))
  on("tool_call", (event, context) => session.calling(event, context))
  on("tool_result", (event, context) => session.called(event, context))
  on("session_before_compact", (event, context) => session.compacting(event, context))
  on("session_compact", (event, context) => session.compacted(event, context))
  on("agent_end", (event, context) => session.ended(event, context))
  on("session_shutdown", (event, context) => session.left(event, context))
  addTools(pi, daemon)
  addCommand(pi)
}

/** As in `hook/client.py`: a model call of hardwon's own, or a session that was switched off. */
function isOff(): boolean {
  const { HARDWON_GUARD, HARDWON_CONTROL_ENABLED, CODEMEMORY_ENABLED } = process.env
  const enabled = (HARDWON_CONTROL_ENABLED || CODEMEMORY_ENABLED || "").trim().toLowerCase()
  return HARDWON_GUARD !== undefined || !["", "true", "yes", "on", "1"].includes(enabled)
}

function caught(handler: Handler): Handler {
  return async (event, context) => {
    try {
      return await handler(event, context)
    } catch {
      return undefined // the session goes on as if we were not there
    }
  }
}

class Session {
  private starting: Promise<void> = Promise.resolve()
  private known = ""

  constructor(
    private readonly daemon: Daemon,
    private readonly talk: Talk,
  ) {}

  /** Once for a session: where one takes another's place, Pi says it twice. */
  async started(event: Event, context: Context): Promise<void> {
    const session = context.sessionManager.getSessionId()
    if (session === this.known) return
    this.known = session
    this.begin("session_start", { reason: event.reason, going_on: isGoingOn(context) }, context)
  }

  /** To another branch of the session's tree: what was said may not be on it. */
  async moved(context: Context): Promise<void> {
    this.talk.forgetResults()
    this.begin("session_tree", { told: holdsOurs(context) }, context)
  }

  async compacting(event: Event, context: Context): Promise<void> {
    this.daemon.tell("session_before_compact", this.talk.body(context, { reason: event.reason }))
  }

  async compacted(event: Event, context: Context): Promise<void> {
    const summary = event.compactionEntry?.summary ?? ""
    this.begin("session_compact", { reason: event.reason, summary }, context)
  }

  async typed(event: Event): Promise<void> {
    this.talk.heard({ text: event.text ?? "", source: event.source ?? "" })
  }

  async prompted(event: Event, context: Context): Promise<unknown> {
    const prompt = event.prompt ?? ""
    this.talk.know(event.systemPromptOptions?.skills)
    this.talk.begin(context, prompt)
    const { text, source } = this.talk.typed(prompt, true)
    await Promise.race([this.starting, sleep(START_WAITED)])
    const about = { prompt, typed: text, source }
    const asked = ["before_agent_start", ...(prompt.startsWith("<skill ") ? ["skill_expanded"] : [])]
    const replies = await Promise.all(asked.map((name) => this.ask(name, about, context)))
    const said = [...this.talk.due(""), ...replies.flatMap((reply) => reply.text ?? [])].join("\n")
    return said ? { message: { customType: OURS, content: said, display: false } } : undefined
  }

  /** A prompt that came while the agent was at work opens no run of its own. */
  async said(event: Event, context: Context): Promise<void> {
    if (event.message?.role !== "user" || !this.talk.isAnother(context, event.message)) return
    const prompt = textOf(event.message.content)
    const { text, source } = this.talk.typed(prompt, false)
    const about = { prompt, typed: text, source }
    this.daemon.tell("message_end", this.talk.body(context, about))
  }

  async calling(event: Event, context: Context): Promise<unknown> {
    if (!ACTS.includes(event.toolName ?? "")) return undefined
    const { toolName, toolCallId, input } = event
    const reply = await this.ask("tool_call", { toolName, toolCallId, input }, context)
    if (reply.stop) return { block: true, reason: reply.stop }
    if (reply.ask && !(await isAllowed(reply.ask, context))) return { block: true, reason: reply.ask }
    this.talk.noteAt(toolCallId ?? "", reply.text)
    return undefined
  }

  async called(event: Event, context: Context): Promise<unknown> {
    if (isOurs(event.toolName ?? "")) return undefined
    const { toolName, toolCallId, input, isError } = event
    const skill = toolName === "read" && !isError ? this.talk.skillAt(input?.path, context.cwd) : undefined
    const about = { toolName, toolCallId, input, isError, skill, text: textOf(event.content) }
    let told: string | undefined
    if (isError || skill) told = (await this.ask("tool_result", about, context)).text
    else this.daemon.tell("tool_result", this.talk.body(context, about))
    const said = [...this.talk.due(toolCallId ?? ""), ...(told ? [told] : [])].join("\n")
    if (!said) return undefined
    const structured = "structuredContent" in event ? { structuredContent: event.structuredContent } : {}
    return { content: [...(event.content ?? []), { type: "text", text: said }], ...structured }
  }

  async ended(event: Event, context: Context): Promise<void> {
    this.talk.forgetResults()
    this.daemon.tell("agent_end", this.talk.body(context, lastWords(event)))
  }

  async left(event: Event, context: Context): Promise<void> {
    this.daemon.tell("session_shutdown", this.talk.body(context, { reason: event.reason }))
    await this.daemon.finish(PARTING)
  }

  /** What opens a window: nobody waits for it but the prompt that comes next. */
  private begin(name: string, event: Record<string, unknown>, context: Context): void {
    this.starting = this.ask(name, event, context, START_LIMIT).then((reply) => this.talk.later(reply.text))
    this.starting.catch(() => {})
  }

  private async ask(name: string, event: Record<string, unknown>, context: Context, limit = LIMIT): Promise<Reply> {
    const reply = parsed(await this.daemon.ask(name, this.talk.body(context, event), limit))
    if (reply.notice && context.hasUI) context.ui.notify(reply.notice, "info")
    return reply
  }
}

function parsed(answer: string): Reply {
  if (!answer) return {}
  try {
    const reply: Record<string, unknown> = JSON.parse(answer)
    const text = (name: keyof Reply): Reply => (typeof reply[name] === "string" ? { [name]: reply[name] } : {})
    return { ...text("text"), ...text("stop"), ...text("ask"), ...text("notice") }
  } catch {
    return {} // not our daemon's
  }
}

/** The person decides; where there is nobody to ask, nothing that has to be asked for is done. */
async function isAllowed(question: string, context: Context): Promise<boolean> {
  return context.hasUI && (await context.ui.confirm("hardwon", question))
}
