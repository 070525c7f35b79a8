/** What `hardwon setup` writes into its copy of the built file, each in its quotes. */

export interface ToolDescription {
  name: string
  /** What the daemon knows it by. */
  asked: string
  title: string
  description: string
  guidelines?: string[]
  schema: unknown
}

export const VERSION = "@VERSION@"
export const SOCKET = "@SOCKET@"
/** The file with the command that starts the daemon, a word per line. */
export const START = "@START@"
/** The command line of this memory. */
export const PROGRAM = "@PROGRAM@"
const TOOLS = "@TOOLS@"
const MARKS = "@MARKS@"

export const tools = (): ToolDescription[] => JSON.parse(TOOLS)

/** Variables that say that an agent started this Pi. */
export const marks = (): string[] => JSON.parse(MARKS)
