/** The part of the client's interface that is used here. Its own package is never imported: it would have to be
 * installed beside the plugin, which a client without a registry waits for at every start. */

export interface ToolDescription {
  name: string
  asked: string
  description: string
  schema: { type: "object"; properties: Record<string, unknown>; required?: string[] }
}

export interface Part {
  type: string
  text?: string
  [key: string]: unknown
}

export interface ToolPart {
  type: string
  callID: string
  tool: string
  state: { status: string; input?: unknown; error?: string }
}

export interface Occurrence {
  type: string
  properties: {
    sessionID?: string
    info?: { id: string; parentID?: string }
    part?: ToolPart
    [key: string]: unknown
  }
}

export interface ToolCall {
  tool: string
  sessionID: string
  callID: string
  args?: Record<string, unknown>
}

export interface ToolResult {
  title?: string
  output?: string
  metadata?: Record<string, unknown>
  /** Of a server's tool, instead of the output. */
  content?: Part[]
  isError?: boolean
}

export interface Definition {
  description?: string
  jsonSchema?: { type?: string; properties?: Record<string, unknown>; required?: string[] }
}

export interface Settings {
  mcp?: Record<string, unknown>
  command?: Record<string, { template: string; description?: string }>
}

export interface Given {
  directory: string
  client: {
    session?: { get(asked: { path: { id: string } }): Promise<{ data?: { parentID?: string } }> }
    tui?: { showToast(asked: { body: { message: string; variant: string } }): Promise<unknown> }
  }
}

/** What the daemon answers, in `clients/opencode/messages.py`. */
export interface Reply {
  text?: string
  stop?: string
  ask?: string
  notice?: string
}
