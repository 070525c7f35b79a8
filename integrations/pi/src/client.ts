/** The part of Pi's interface that is used here. Its packages are never imported: one file serves every version and
 * both of the names that Pi has had on npm. */

export interface Content {
  type: string
  text?: string
}

export interface Spoken {
  role: string
  content?: string | Content[]
  stopReason?: string
  timestamp?: number
}

export interface Entry {
  type: string
  id: string
  customType?: string
  message?: Spoken
}

export interface Context {
  cwd: string
  hasUI: boolean
  /** Since 0.87; before it only `hasUI` tells a terminal from a single print. */
  mode?: string
  ui: {
    notify(text: string, kind: "info" | "warning" | "error"): void
    confirm(title: string, text: string): Promise<boolean>
  }
  sessionManager: {
    getSessionId(): string
    getSessionFile(): string | undefined
    getBranch(): Entry[]
  }
}

export interface ToolResult {
  content: Content[]
  structuredContent?: unknown
}

/** Every event has the fields of its own kind only; what a version does not send is not there. */
export interface Event {
  reason?: string
  text?: string
  source?: string
  streamingBehavior?: string
  prompt?: string
  systemPromptOptions?: { skills?: { name: string; filePath: string }[] }
  message?: Spoken
  messages?: Spoken[]
  toolName?: string
  toolCallId?: string
  input?: Record<string, unknown>
  content?: Content[]
  structuredContent?: unknown
  isError?: boolean
  compactionEntry?: { summary?: string }
}

export type Handler = (event: Event, context: Context) => Promise<unknown>

export interface Tool {
  name: string
  label: string
  description: string
  promptGuidelines?: string[]
  parameters: unknown
  execute(id: string, given: unknown, signal: unknown, update: unknown, context: Context): Promise<unknown>
}

export interface Pi {
  on(event: string, handler: Handler): void
  registerTool?(tool: Tool): void
  registerCommand?(
    name: string,
    command: { description: string; handler(words: string, context: Context): Promise<void> },
  ): void
}

/** What the daemon answers, in `clients/pi/messages.py`. */
export interface Reply {
  text?: string
  stop?: string
  ask?: string
  notice?: string
}
