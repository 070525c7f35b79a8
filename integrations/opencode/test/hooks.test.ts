import assert from "node:assert/strict"
import { afterEach, beforeEach, test } from "node:test"
import type { Definition, Part, ToolResult } from "../src/client.ts"
import { Daemon } from "../../shared/daemon.ts"
import { hooks } from "../src/hooks.ts"
import { type Answer, Fake } from "./fake.ts"

let fake: Fake

beforeEach(() => {
  fake = new Fake()
})

afterEach(() => fake.close())

async function plugin(answer: Answer) {
  await fake.listen(answer)
  const given = { directory: "/home/user/project", client: {} }
  const made = hooks(new Daemon(fake.place), given, "", (tool) => tool === "skill_note")
  await made.event({ event: { type: "session.created", properties: { info: { id: "ses_1" } } } })
  return made
}

type Plugin = Awaited<ReturnType<typeof plugin>>

const say = (reply: object): string => JSON.stringify(reply)

async function prompt(made: Plugin, id = "msg_1"): Promise<Part[]> {
  const parts: Part[] = [{ id: "prt_1", type: "text", text: "go on" }]
  await made["chat.message"]({ sessionID: "ses_1" }, { message: { id }, parts })
  return parts
}

async function call(made: Plugin, tool: string, args: Record<string, unknown>, result: ToolResult, id = "call_1") {
  await made["tool.execute.before"]({ tool, sessionID: "ses_1", callID: id }, { args })
  await made["tool.execute.after"]({ tool, sessionID: "ses_1", callID: id, args }, result)
  return result
}

test("What is said at a start and at a prompt is one part behind the person's, as the client stores its own.", async () => {
  const made = await plugin((event) => (event === "session.created" ? say({ text: "START" }) : say({ text: "PROMPT" })))
  const parts = await prompt(made)
  assert.equal(parts.length, 2)
  assert.deepEqual([parts[1]?.sessionID, parts[1]?.messageID], ["ses_1", "msg_1"])
  assert.match(String(parts[1]?.id), /^prt_zz/)
  assert.equal(parts[1]?.text, "START\n\nPROMPT")
  assert.equal((await prompt(made, "msg_2"))[1]?.text, "PROMPT")
})

test("Silence changes nothing.", async () => {
  const made = await plugin(() => "")
  assert.equal((await prompt(made)).length, 1)
  const result = await call(made, "bash", { command: "ls" }, { output: "a", metadata: { exit: 1 } })
  assert.equal(result.output, "a")
})

test("A skill's intent is asked for, goes to the daemon and not to the tool.", async () => {
  const made = await plugin(() => say({ text: "LESSON" }))
  const definition: Definition = {}
  await made["tool.definition"]({ toolID: "skill" }, definition)
  assert.deepEqual(definition.jsonSchema?.required, ["name"])
  assert.deepEqual(Object.keys(definition.jsonSchema?.properties ?? {}), ["name", "intent"])
  const args = { name: "deploy", intent: "ship it" }
  const result = await call(made, "skill", args, {
    output: "BODY",
    metadata: { name: "deploy", dir: "/skills/deploy" },
  })
  assert.deepEqual(args, { name: "deploy" })
  assert.equal(result.output, "BODY\n\nLESSON")
  assert.deepEqual(fake.heard.at(-1)?.body.args, { name: "deploy", intent: "ship it" })
})

test("A call that is to stop throws the reason, and is not told as a failure.", async () => {
  const made = await plugin((event) => (event === "tool.execute.before" ? say({ stop: "NOT AGAIN" }) : ""))
  await assert.rejects(call(made, "bash", { command: "make" }, { output: "" }), { message: "NOT AGAIN" })
  const state = { status: "error", input: { command: "make" }, error: "NOT AGAIN" }
  const part = { type: "tool", tool: "bash", callID: "call_1", state }
  await made.event({ event: { type: "message.part.updated", properties: { sessionID: "ses_1", part } } })
  assert.ok(!fake.heard.some((one) => one.event === "message.part.updated"))
})

test("What a person is to be asked about waits for their next prompt.", async () => {
  const made = await plugin((event) => (event === "tool.execute.before" ? say({ ask: "A RULE" }) : ""))
  await prompt(made)
  const again = (id: string) => call(made, "bash", { command: "make" }, { output: "made" }, id)
  await assert.rejects(again("a"), /A RULE\nAsk the user/)
  await assert.rejects(again("b"), /A RULE/)
  await prompt(made, "msg_2")
  assert.equal((await again("c")).output, "made\n\nA RULE")
})

test("A note before a call comes with its result, and with the next one where it threw.", async () => {
  const made = await plugin((event) => (event === "tool.execute.before" ? say({ text: "NOTE" }) : ""))
  const passed = await call(made, "bash", { command: "ls" }, { output: "a", metadata: { exit: 0 } })
  assert.equal(passed.output, "a\n\nNOTE")
  const args = { filePath: "a", oldString: "x", newString: "y" }
  await made["tool.execute.before"]({ tool: "edit", sessionID: "ses_1", callID: "call_2" }, { args })
  const state = { status: "error", input: args, error: "Could not find oldString" }
  const part = { type: "tool", tool: "edit", callID: "call_2", state }
  await made.event({ event: { type: "message.part.updated", properties: { sessionID: "ses_1", part } } })
  const next: ToolResult = { content: [{ type: "text", text: "found" }] }
  await made["tool.execute.after"]({ tool: "mem_recall", sessionID: "ses_1", callID: "call_3", args: {} }, next)
  assert.deepEqual(next.content?.[1], { type: "text", text: "NOTE" })
})

test("A sub-agent's session is a part of the one that it works for.", async () => {
  const made = await plugin(() => "")
  const info = { id: "ses_2", parentID: "ses_1" }
  await made.event({ event: { type: "session.created", properties: { info } } })
  await made["tool.execute.after"]({ tool: "bash", sessionID: "ses_2", callID: "c", args: {} }, { output: "" })
  await made.dispose()
  const told = fake.heard.find((one) => one.event === "tool.execute.after")?.body
  assert.deepEqual([told?.session, told?.agent], ["ses_1", "ses_2"])
  assert.equal(made.rootOf("ses_2"), "ses_1")
})

test("What is said after a compaction is at the end of the summary.", async () => {
  const made = await plugin((event) => (event === "session.compacted" ? say({ text: "STATE" }) : ""))
  await prompt(made)
  await made["experimental.session.compacting"]({ sessionID: "ses_1" })
  const summary = { text: "They counted." }
  await made["experimental.text.complete"]({ sessionID: "ses_1" }, summary)
  assert.equal(summary.text, "They counted.\n\nSTATE")
  const speech = { text: "and on" }
  await made["experimental.text.complete"]({ sessionID: "ses_1" }, speech)
  assert.equal(speech.text, "and on")
})

test("Whatever the daemon or the client says, no hook throws and none waits.", async () => {
  for (const nonsense of ['{"text":7', '{"text":7,"stop":[]}', "[]", "null", "7", "\0"]) {
    const made = await plugin(() => nonsense)
    assert.equal((await prompt(made)).length, 1)
    await made.event({ event: { type: "message.part.updated", properties: {} } })
    // biome-ignore lint/suspicious/noExplicitAny: a client that sends something else than it promises
    const odd = undefined as any
    await made["chat.message"](odd, odd)
    await made["tool.execute.before"]({ tool: "bash", sessionID: "ses_1", callID: "c" }, odd)
    await made["tool.execute.after"](odd, odd)
    await made.dispose()
    fake.close()
    fake = new Fake()
  }
  const began = Date.now()
  const made = await plugin(() => null)
  assert.equal((await prompt(made)).length, 1)
  assert.ok(Date.now() - began < 3000)
})
