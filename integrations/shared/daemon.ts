/** Messages to hardwon's daemon: each over a connection of its own, with the header line of `hook/client.py`. Nothing
 * here throws, and nothing waits longer than it was told to. */
import { spawn } from "node:child_process"
import { lstatSync, readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { dirname } from "node:path"

export interface Place {
  client: string
  version: string
  socket: string
  start: string
}

interface Message {
  host: string
  event: string
  body: string
}

interface Outcome {
  /** Whether it is surely there. */
  heard: boolean
  answer: string
}

const DELIVER = 250
const PAUSE = 20
const MOST_KEPT = 500
const MOST_CHARACTERS = 4_000_000
/** Between two attempts to start a daemon that does not come up. */
const START_AGAIN = 30_000
/** So many answers too late one after the other, and for a while nobody waits for one. */
const LATE = 3
const REST = 30_000
const TRY_AGAIN = 500
const MOST_TRIES = 10

const NOT_HEARD: Outcome = { heard: false, answer: "" }

export class Daemon {
  private readonly kept: Message[] = []
  private keptCharacters = 0
  private readonly underWay = new Set<Promise<unknown>>()
  private started = 0
  private late = 0
  private restUntil = 0
  /** Nobody waits because there was none; one that comes up is asked again at once. */
  private absent = false
  private tries = 0
  private flushing = false

  constructor(private readonly place: Place) {}

  /** Its answer within so many milliseconds; empty when there was none. What it could not be told is told later. */
  async ask(event: string, body: string, limit: number): Promise<string> {
    const message = { host: this.place.client, event, body }
    if (Date.now() < this.restUntil) {
      this.deliver(message)
      return ""
    }
    const outcome = await this.insist(message, limit)
    if (!outcome.heard) {
      this.absent = true
      this.wasLate()
      this.keep(message)
    }
    return outcome.answer
  }

  /** Nobody waits for an answer. */
  tell(event: string, body: string): void {
    this.deliver({ host: this.place.client, event, body })
  }

  /** A call of an agent's: null when nobody heard it. */
  async call(tool: string, body: string, limit: number): Promise<string | null> {
    const outcome = await this.insist({ host: "mcp", event: tool, body }, limit)
    return outcome.heard ? outcome.answer : null
  }

  /** Before the first message: a daemon that has to be started is there by then. */
  wake(): void {
    this.track(
      this.exchange({ host: "control", event: "status", body: "" }, DELIVER).then((outcome) => {
        if (!outcome.heard) this.start()
      }),
    )
  }

  /** Everything that was said is delivered, or the time is over. */
  async finish(limit: number): Promise<void> {
    const until = Date.now() + limit
    this.tries = 0
    while (Date.now() < until) {
      await within(Promise.allSettled([...this.underWay]), until - Date.now())
      await within(this.flush(), until - Date.now())
      if (!this.kept.length && !this.underWay.size) return
      await sleep(PAUSE)
    }
  }

  private deliver(message: Message): void {
    if (this.kept.length) {
      this.keep(message)
      this.track(this.flush())
      return
    }
    this.track(
      this.exchange(message, 0).then((outcome) => {
        if (outcome.heard) return
        this.start()
        this.keep(message)
      }),
    )
  }

  private async insist(message: Message, limit: number): Promise<Outcome> {
    const until = Date.now() + limit
    let outcome = NOT_HEARD
    while (Date.now() < until) {
      outcome = await this.exchange(message, until - Date.now())
      if (outcome.heard) break
      this.start()
      await sleep(Math.min(PAUSE, Math.max(1, until - Date.now())))
    }
    if (outcome.heard && this.kept.length) this.track(this.flush())
    return outcome
  }

  /** In order, and each once more where it is not known whether it was heard: the journal keeps each event once. */
  private async flush(): Promise<void> {
    if (this.flushing) return
    this.flushing = true
    try {
      for (let first = this.kept[0]; first; first = this.kept[0]) {
        if (!(await this.exchange(first, 0)).heard) {
          this.start()
          this.again()
          return
        }
        this.tries = 0
        if (this.kept[0] === first) this.drop()
      }
    } finally {
      this.flushing = false
    }
  }

  private keep(message: Message): void {
    this.kept.push(message)
    this.keptCharacters += message.body.length
    while (this.kept.length > MOST_KEPT || this.keptCharacters > MOST_CHARACTERS) {
      this.drop()
    }
    this.again()
  }

  private drop(): void {
    this.keptCharacters -= this.kept.shift()?.body.length ?? 0
  }

  private again(): void {
    if (this.tries++ < MOST_TRIES) setTimeout(() => this.track(this.flush()), TRY_AGAIN).unref()
  }

  /** One connection. With a limit of 0 no answer is due, and it is heard when it is written. */
  private exchange(message: Message, limit: number): Promise<Outcome> {
    return new Promise((resolve) => {
      if (!isPrivate(this.place.socket)) return resolve(NOT_HEARD)
      const header = `1 ${this.place.version} ${message.host} ${message.event} ${Math.floor(limit)}\n`
      const socket = connect(this.place.socket)
      let answer = ""
      let connected = false
      let over = false
      const done = (outcome: Outcome): void => {
        over = true
        clearTimeout(timer)
        socket.destroy()
        resolve(outcome)
      }
      const timer = setTimeout(() => {
        if (limit) this.wasLate()
        done({ heard: connected, answer: "" })
      }, limit || DELIVER)
      socket.setEncoding("utf8")
      socket.on("connect", () => {
        connected = true
        if (over) return void socket.destroy() // Bun leaves one open that was given up while it connected
        socket.write(header + message.body, () => noMore(socket))
      })
      socket.on("data", (piece: string) => {
        answer += piece
      })
      socket.on("end", () => {
        this.late = 0
        if (this.absent) this.restUntil = 0
        this.absent = false
        done({ heard: true, answer })
      })
      socket.on("error", () => done(NOT_HEARD))
    })
  }

  private wasLate(): void {
    if (++this.late < LATE) return
    this.late = 0
    this.restUntil = Date.now() + REST
  }

  private start(): void {
    if (Date.now() - this.started < START_AGAIN) return
    this.started = Date.now()
    try {
      const [program, ...words] = readFileSync(this.place.start, "utf8").trim().split("\n")
      if (!program) return
      const child = spawn(program, [...words, "serve"], { detached: true, stdio: "ignore", cwd: "/" })
      child.on("error", () => {})
      child.unref()
    } catch {
      // hardwon is gone, or its folder can't be read
    }
  }

  private track(work: Promise<unknown>): void {
    const tracked = work.catch(() => {}).finally(() => this.underWay.delete(tracked))
    this.underWay.add(tracked)
  }
}

/** The daemon answers when all is said. In Bun (1.3.14) a socket that is ended is deaf from then on, and the answer would
 * be lost; what is below it can stop to speak and still listen. */
function noMore(socket: Socket): void {
  const { _handle: below } = socket as Socket & { _handle?: { shutdown?: unknown } }
  if (process.versions.bun && typeof below?.shutdown === "function") below.shutdown()
  else socket.end()
}

/** As in `hook/client.py`: a socket outside of the home may be in somebody else's folder. */
function isPrivate(socket: string): boolean {
  if (socket.endsWith("/daemon.sock")) return true
  try {
    const folder = lstatSync(dirname(socket))
    return folder.uid === process.getuid?.() && (folder.mode & 0o170077) === 0o040000
  } catch {
    return false
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** What comes of it in so many milliseconds; undefined when nothing has by then. */
export async function within<T>(work: Promise<T> | undefined, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, milliseconds))
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
