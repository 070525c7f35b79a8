/** What has to be remembered from one hook to the next, bounded: a client may run for weeks. */
import type { Reply } from "./client.ts"

export class Session {
  /** Empty for a session of its own, else the one that it works for. */
  parent = ""
  /** The last prompt's message. */
  prompt = ""
  /** What was typed as a command, until the prompt that is made of it comes. */
  command: { name: string; words: string; at: number } | null = null
  /** What the agent said last and nobody was told yet. */
  said = ""
  compacting = false
  /** What is to be said at its start, or after a compaction, with the next prompt. */
  opening: Promise<Reply> | null = null
  /** What came too late for its own result, and goes with the next one. */
  late: string[] = []
  /** A call that the person is to be asked about, and the prompt in which it was held up. */
  asked = new Map<string, string>()
}

export class Bounded<T> {
  private readonly held = new Map<string, T>()

  constructor(private readonly most: number) {}

  get(key: string): T | undefined {
    return this.held.get(key)
  }

  set(key: string, value: T): T {
    this.held.delete(key)
    this.held.set(key, value)
    for (const oldest of this.held.keys()) {
      if (this.held.size <= this.most) break
      this.held.delete(oldest)
    }
    return value
  }

  take(key: string): T | undefined {
    const found = this.held.get(key)
    this.held.delete(key)
    return found
  }

  entries(): [string, T][] {
    return [...this.held]
  }
}
