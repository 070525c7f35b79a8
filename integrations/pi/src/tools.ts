/** The memory's tools, as Pi's own: they know the session that they are called in, which a server of Pi's is not told,
 * and there is no process for them. */
import type { Daemon } from "../../shared/daemon.ts"
import type { Context, Pi } from "./client.ts"
import { type ToolDescription, tools } from "./installed.ts"

const SECONDS = 20
const NOT_HEARD = "hardwon did not answer; nothing was kept. `hardwon doctor` says why."
const NO_ANSWER = "hardwon did not answer; it is not known whether it was kept. `hardwon doctor` says why."

const ours = new Set<string>()

export function isOurs(name: string): boolean {
  return ours.has(name)
}

export function addTools(pi: Pi, daemon: Daemon): void {
  for (const tool of typeof pi.registerTool === "function" ? tools() : []) {
    ours.add(tool.name)
    pi.registerTool?.({
      name: tool.name,
      label: tool.title,
      description: tool.description,
      ...(tool.guidelines ? { promptGuidelines: tool.guidelines } : {}),
      parameters: tool.schema,
      execute: async (_id, given, _signal, _update, context) => {
        const text = await call(daemon, tool, given, context)
        return { content: [{ type: "text", text }], details: {} }
      },
    })
  }
}

/** What it says; thrown where something is wrong, which is how Pi is told so. */
async function call(daemon: Daemon, tool: ToolDescription, given: unknown, context: Context): Promise<string> {
  const about = { cwd: context.cwd, client: "pi", session: context.sessionManager.getSessionId() }
  const body = JSON.stringify({ arguments: given, ...about, until: Date.now() + SECONDS * 1_000 })
  const answer = await daemon.call(tool.asked, body, SECONDS * 1_000)
  if (answer === null) throw new Error(NOT_HEARD)
  let told: { text?: unknown; wrong?: unknown }
  try {
    told = JSON.parse(answer)
  } catch {
    throw new Error(NO_ANSWER)
  }
  if (told.wrong) throw new Error(String(told.text))
  return String(told.text ?? "")
}
