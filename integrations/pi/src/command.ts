/** `/hardwon`, for the person: what the command line says, `status` where nothing else is asked for. */
import { execFile } from "node:child_process"
import type { Pi } from "./client.ts"
import { PROGRAM } from "./installed.ts"

const LIMIT = 20_000
const MOST = 20_000

export function addCommand(pi: Pi): void {
  if (typeof pi.registerCommand !== "function") return
  pi.registerCommand("hardwon", {
    description: "What the memory has, and whether it works: status, doctor, brief, search WORDS, …",
    handler: async (words, context) => {
      const said = await run(words.trim() ? words.trim().split(/\s+/) : ["status"], context.cwd)
      if (context.hasUI) context.ui.notify(said, "info")
      else process.stdout.write(`${said}\n`)
    },
  })
}

function run(words: string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(PROGRAM, words, { cwd, timeout: LIMIT }, (problem, printed, complaint) => {
      const said = `${printed}${complaint}`.trim().slice(0, MOST)
      resolve(said || (problem ? `hardwon could not be run: ${problem.message}` : "Nothing to say."))
    })
    child.stdin?.end()
  })
}
