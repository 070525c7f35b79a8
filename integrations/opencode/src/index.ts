/** hardwon in OpenCode, and in Kilo. The default export is the only one: of others the client would call each as a
 * plugin, or refuse all. */
import type { Definition, Given, Settings } from "./client.ts"
import { Daemon } from "../../shared/daemon.ts"
import { hooks } from "./hooks.ts"
import { CLIENT, tools as described, marks, PROGRAM, SOCKET, START, VERSION } from "./installed.ts"
import { describe, tools } from "./tools.ts"

const COMMAND = "hardwon"

/** hardwon's own model calls are not to be observed, and a session can be switched off: as in `hook/client.py`. */
function isOff(environ: NodeJS.ProcessEnv): boolean {
  const enabled = environ.HARDWON_CONTROL_ENABLED || environ.CODEMEMORY_ENABLED || ""
  return "HARDWON_GUARD" in environ || !["", "true", "yes", "on", "1"].includes(enabled.trim().toLowerCase())
}

/** Who started this client: a program, where another client or a script did; else nobody knows. */
function origin(environ: NodeJS.ProcessEnv): string {
  const byClient = marks().some((name) => environ[name])
  return byClient || (process.argv.includes("run") && !process.stdin.isTTY) ? "program" : ""
}

function withStatus(settings: Settings): void {
  const template = `hardwon says:\n\n!\`${PROGRAM} status\`\n\nShow the user this as it is, as a short list. Do nothing else.`
  const description = "What hardwon remembers here, what it has shown, whether it works"
  settings.command = { [COMMAND]: { template, description }, ...settings.command }
}

async function server(given: Given) {
  try {
    if (isOff(process.env)) return {}
    const known = described()
    const daemon = new Daemon({ client: CLIENT, version: VERSION, socket: SOCKET, start: START })
    daemon.wake()
    const own = (tool: string): boolean => known.some((one) => one.name === tool)
    const { rootOf, config, "tool.definition": definition, ...rest } = hooks(daemon, given, origin(process.env), own)
    return {
      ...rest,
      config: async (settings: Settings): Promise<void> => {
        await config(settings)
        withStatus(settings)
      },
      "tool.definition": async (input: { toolID: string }, output: Definition): Promise<void> => {
        if (!describe(known, input.toolID, output)) await definition(input, output)
      },
      tool: tools(daemon, known, CLIENT, given.directory, rootOf),
    }
  } catch {
    return {}
  }
}

export default { id: "hardwon", server }
