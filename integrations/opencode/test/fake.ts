/** A daemon of the tests: what it was told, and what it answers. */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export type Answer = (event: string, body: Record<string, unknown>) => string | null

export class Fake {
  readonly folder = mkdtempSync(join(tmpdir(), "hardwon-"))
  readonly socket = join(this.folder, "daemon.sock")
  readonly place = { client: "opencode", version: "1", socket: this.socket, start: join(this.folder, "none") }
  readonly heard: { header: string; event: string; body: Record<string, unknown> }[] = []
  private server: Server | null = null
  private readonly open = new Set<Socket>()

  /** `answer` gives a text, or null for one who never answers. */
  async listen(answer: Answer = () => ""): Promise<void> {
    this.server = createServer({ allowHalfOpen: true }, (socket) => {
      this.open.add(socket)
      let said = ""
      socket.on("data", (piece) => {
        said += piece
      })
      socket.on("error", () => {})
      socket.on("end", () => {
        const [header = "", ...rest] = said.split("\n")
        const event = header.split(" ")[3] ?? ""
        const body = rest.join("\n")
        const parsed = body ? JSON.parse(body) : {}
        if (event !== "status") this.heard.push({ header, event, body: parsed })
        const answered = answer(event, parsed)
        if (answered !== null) socket.end(answered)
      })
    })
    await new Promise<void>((resolve) => this.server?.listen(this.socket, resolve))
  }

  close(): void {
    for (const socket of this.open) socket.destroy()
    this.server?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
