/** The tools of the memory. Their arguments are checked in the daemon, in sentences. */
import type { Definition, ToolDescription } from "./client.ts"
import type { Daemon } from "../../shared/daemon.ts"

const LIMIT = 20_000

interface Around {
  sessionID: string
  directory?: string
}

export function tools(
  daemon: Daemon,
  known: ToolDescription[],
  client: string,
  place: string,
  rootOf: (id: string) => string,
) {
  const one = (tool: ToolDescription) => ({
    description: tool.description,
    args: tool.schema.properties,
    async execute(given: Record<string, unknown>, around: Around): Promise<string> {
      const body = JSON.stringify({
        arguments: given,
        meta: {},
        client,
        session: rootOf(around.sessionID),
        cwd: around.directory ?? place,
        until: Date.now() + LIMIT,
      })
      return told(await daemon.call(tool.asked, body, LIMIT), tool.asked)
    },
  })
  return Object.fromEntries(known.map((tool) => [tool.name, one(tool)]))
}

function told(answer: string | null, asked: string): string {
  const keeps = asked === "note" || asked === "mark"
  if (answer === null) return `hardwon did not answer${keeps ? "; nothing was kept" : ""}. \`hardwon doctor\` says why.`
  try {
    return String(JSON.parse(answer).text)
  } catch {
    return `hardwon did not answer${keeps ? "; it is not known whether it was kept" : ""}. \`hardwon doctor\` says why.`
  }
}

/** The client calls every argument of a plugin's tool required, unless its schema is put in its place. */
export function describe(known: ToolDescription[], name: string, output: Definition): boolean {
  const tool = known.find((one) => one.name === name)
  if (!tool) return false
  output.jsonSchema = { required: [], ...tool.schema }
  return true
}
