/** One session as it goes on: what it is called, which prompt it is at, and what is still to be said in it. */
import { createHash } from "node:crypto"
import { homedir } from "node:os"
import { resolve } from "node:path"
import type { Content, Context, Entry, Event, Spoken } from "./client.ts"

const LONGEST = 200_000
const MOST_WAITING = 4
const SPOKEN = ["user", "assistant", "toolResult"]
const MOST_INPUTS = 8
export const OURS = "hardwon"

interface Input {
  text: string
  source: string
}

export class Talk {
  /** The prompt that is worked at: `promptId`. */
  prompt = ""
  /** What was put in, before Pi made more of it: several may wait while the agent is at work. */
  private readonly inputs: Input[] = []
  private expected: string | undefined
  private readonly waiting: string[] = []
  private readonly notes = new Map<string, string>()
  private readonly skills = new Map<string, string>()

  constructor(private readonly startedBy: string) {}

  /** A message as it goes to the daemon: Pi's own event in `event`, and where it comes from. */
  body(context: Context, event: Record<string, unknown>): string {
    const { cwd, hasUI, mode, sessionManager } = context
    const session = sessionManager.getSessionId()
    const file = sessionManager.getSessionFile()
    const about = { session, file, cwd, mode: mode ?? (hasUI ? "interactive" : "print"), started_by: this.startedBy }
    return JSON.stringify({ ...about, prompt: this.prompt, at: Date.now(), event })
  }

  /** A prompt begins; it comes again as a message. */
  begin(context: Context, prompt: string): void {
    this.prompt = promptId(context.sessionManager.getBranch(), prompt)
    this.expected = prompt
  }

  /** Whether this message of the user's is another one, which was put in while the agent was at work. */
  isAnother(context: Context, message: Spoken): boolean {
    const text = textOf(message.content)
    const expected = this.expected
    this.expected = undefined
    if (expected !== undefined && text.startsWith(expected)) return false
    const before = context.sessionManager.getBranch().filter((entry) => entry.message?.timestamp !== message.timestamp)
    this.prompt = promptId(before, text)
    return true
  }

  heard(input: Input): void {
    this.inputs.push(input)
    if (this.inputs.length > MOST_INPUTS) this.inputs.shift()
  }

  /** What this prompt was made of: the same words, or a command that stands for them. A prompt that opens a run comes
   * right behind its input, whatever other extensions made of it. */
  typed(prompt: string, opensRun: boolean): Input {
    let at = this.inputs.findIndex((one) => one.text !== "" && prompt.startsWith(one.text))
    if (at < 0) at = opensRun ? this.inputs.length - 1 : this.inputs.findIndex((one) => one.text.startsWith("/"))
    return this.inputs.splice(at, at < 0 ? 0 : 1)[0] ?? { text: "", source: "" }
  }

  know(skills: { name: string; filePath: string }[] | undefined): void {
    for (const one of skills ?? []) this.skills.set(one.filePath, one.name)
  }

  /** The skill that is loaded by reading this file, where Pi offers one there. */
  skillAt(path: unknown, cwd: string): string | undefined {
    if (typeof path !== "string" || !path) return undefined
    return this.skills.get(resolve(cwd, path.replace(/^@/, "").replace(/^~(?=\/)/, homedir())))
  }

  /** With the next prompt or result, whichever comes first. */
  later(text: string | undefined): void {
    if (text && this.waiting.length < MOST_WAITING) this.waiting.push(text)
  }

  /** With the result of this call. */
  noteAt(call: string, text: string | undefined): void {
    if (text) this.notes.set(call, text)
  }

  due(call: string): string[] {
    const note = this.notes.get(call)
    this.notes.delete(call)
    return [...(note ? [note] : []), ...this.waiting.splice(0)]
  }

  forgetResults(): void {
    this.notes.clear()
  }
}

/** The same from the session's file (`clients/pi/transcript.py`): what it follows, and a hash of its words. */
export function promptId(before: Entry[], prompt: string): string {
  const last = before.findLast((entry) => entry.type === "message" && SPOKEN.includes(entry.message?.role ?? ""))
  return `${last?.id ?? "first"}.${createHash("sha1").update(prompt).digest("hex").slice(0, 8)}`
}

/** Whether what was said to this session is still in its window. */
export function holdsOurs(context: Context): boolean {
  return context.sessionManager.getBranch().some((entry) => entry.customType === OURS)
}

export function isGoingOn(context: Context): boolean {
  return context.sessionManager.getBranch().some((entry) => entry.message?.role === "user")
}

export function textOf(content: string | Content[] | undefined): string {
  if (typeof content === "string") return content.slice(0, LONGEST)
  const texts = (content ?? []).flatMap((one) => (one.type === "text" && one.text ? [one.text] : []))
  return texts.join("\n").slice(0, LONGEST)
}

/** The end of a run: what the agent said last, and how it ended. */
export function lastWords(event: Event): { text: string; stopReason: string } {
  const last = event.messages?.findLast((one) => one.role === "assistant")
  return { text: textOf(last?.content), stopReason: last?.stopReason ?? "" }
}
